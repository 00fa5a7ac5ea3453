/** Ends an exhaustive switch: a member that was added and forgotten does not compile. */
export function assertNever(value: never): never {
  throw new Error(`Not handled: ${JSON.stringify(value)}`)
}
