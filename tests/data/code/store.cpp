#include <map>
#include <string>

namespace example::pumps {

/// Keeps pumps.
template <class T>
class Store : public Base {
 public:
  Store() : size_(1) {}

  // Gives a pump.
  const T& get(int number) const { return pumps_.at(number); }

  T& operator[](int number) { return pumps_[number]; }

 private:
  std::map<int, T> pumps_;
};

enum class Kind { Small, Large };

}  // namespace example::pumps

/// Gives the name.
std::string example::pumps::Pump::name(int number) const {
  auto text = R"(void not_a_function() {)";
  auto add = [](int a) {
    return a + 1;
  };
  return text + std::to_string(add(number));
}
