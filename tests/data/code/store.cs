using System;
using System.Collections.Generic;

namespace Example.Pumps
{
    /// <summary>Keeps pumps.</summary>
    [Serializable]
    public class Store<T> : Base
    {
        public int Size { get; set; }

        public Store() { }

        // Gives a pump.
        [Obsolete("old")]
        public T Get(int number)
        {
            return pumps[number];
        }
    }

    public enum Kind { Small, Large }
}
