import Foundation

/// Keeps pumps.
public struct Store<T>: Keeping {
    var pumps: [Int: T] = [:]

    init() {
        pumps = [:]
    }

    // Gives a pump.
    @discardableResult
    func get(_ number: Int) -> T? {
        return pumps[number]
    }
}

extension Store {
    func first() -> T? { pumps.first?.value }
}

protocol Keeping {
    func clear()
}
