import { A } from "./a";

/** One pump. */
export interface Pump<T extends object = {}> {
  number: T;
}

export type Maybe<T> = T | undefined;

export enum Kind {
  Small,
  Large,
}

@Injectable()
export abstract class Store<T> {
  @Input() size = 1;

  constructor(private readonly pumps: Map<number, T>) {}

  // Gives a pump.
  @Cached({ seconds: 3 })
  get(number: number): Maybe<T> {
    return this.pumps.get(number);
  }

  abstract clear(): void;
}

namespace Tools {
  export function first<T>(all: T[]): T {
    return all[0];
  }
}
