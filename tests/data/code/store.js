#!/usr/bin/env node
"use strict";
import fs from "fs";
import path from "path";

/** Keeps pumps. */
export class Store extends Map {
  static #count = 0;

  // Gives a pump.
  get(number) {
    return this.pumps[`class Fake { ${number} }`] ?? /}\{/.exec(number);
  }

  onPut = (pump) => {
    this.pumps[pump.number] = pump;
  };
}

export const small = () => new Store();

const helpers = {
  first: function (pumps) {
    return pumps[0];
  },
  last(pumps) {
    return pumps.at(-1);
  },
};

Store.prototype.clear = function () {
  this.pumps = {};
};

module.exports = helpers;

function* numbers() {
  yield 1;
}

const view = <ul className="pumps">{[1].map((n) => <li key={n}>{n}</li>)}</ul>;
