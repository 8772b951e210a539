package example

import scala.collection.mutable

/** Keeps pumps. */
@deprecated("old")
class Store[T](size: Int) extends Base {
  private val pumps = mutable.Map[Int, T]()

  // Gives a pump.
  def get(number: Int): Option[T] = {
    pumps.get(number)
  }
}

object Store {
  def empty[T] = new Store[T](0)
}

trait Keeping {
  def clear(): Unit
}
