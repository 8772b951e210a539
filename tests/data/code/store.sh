#!/bin/sh
set -eu

# Gives a pump.
get() {
    cat <<TEXT
not_a_function() {
TEXT
    echo "pump $1"
}

function put {
    echo "$1" >> pumps
}

get 1
