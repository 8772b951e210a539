import React from "react";

export interface Props {
  pumps: string[];
}

/** Lists pumps. */
export function List({ pumps }: Props) {
  const title = `class Fake { ${pumps.length} }`;
  return (
    <ul title={title}>
      {pumps.map((pump) => (
        <li key={pump}>{/* function notReal() { */ pump}</li>
      ))}
    </ul>
  );
}

export const Small = () => <List pumps={["1"]} />;
