require "json"

# Pumps.
module Pumps
  # Keeps pumps.
  class Store < Base
    attr_reader :pumps

    # Gives a pump.
    def get(number)
      text = <<~TEXT
        def not_a_method
        end
      TEXT
      @pumps[number] || text
    end

    def self.empty
      new
    end
  end
end
