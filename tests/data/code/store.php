<?php

namespace Example;

use Example\Base;
use Example\Other;

/**
 * Keeps pumps.
 */
#[Attribute]
final class Store extends Base
{
    private array $pumps = [];

    /** Gives a pump. */
    public function get(int $number): ?Pump
    {
        return $this->pumps[$number] ?? null;
    }
}

function first(array $pumps)
{
    return $pumps[0];
}
