interface Jar {
  jar: { path: string }
}

/** Sorts by name, ignoring case, then by path. */
export const byName =
  <J extends Jar>(nameOf: (one: J) => string) =>
  (a: J, b: J): number => {
    const [one, other] = [nameOf(a).toLowerCase(), nameOf(b).toLowerCase()]
    if (one === other) return a.jar.path < b.jar.path ? -1 : 1
    return one < other ? -1 : 1
  }
