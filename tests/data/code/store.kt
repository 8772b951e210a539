package org.example

import kotlin.math.max

/** Keeps pumps. */
class Store(private val size: Int) : Base() {
    private val pumps = mutableMapOf<Int, String>()

    // Gives a pump.
    @Deprecated("old")
    fun get(number: Int): String? {
        return pumps[number]
    }

    companion object {
        fun empty() = Store(0)
    }
}

object Registry {
    fun first(): Int = max(1, 2)
}

interface Listener {
    fun changed(store: Store)
}
