package org.example;

import java.util.HashMap;
import java.util.Map;

/** Keeps pumps. */
@SuppressWarnings("unchecked")
public class Store<T extends Comparable<T>> extends Base {
    private final Map<Integer, T> pumps = new HashMap<>();

    public Store() {
        super();
    }

    /**
     * Gives a pump.
     */
    @Override
    public T get(int number) {
        return pumps.get(number);
    }

    enum Kind {
        SMALL,
        LARGE
    }

    interface Listener {
        void changed(Store<?> store);
    }

    record Pump(int number) {
    }
}
