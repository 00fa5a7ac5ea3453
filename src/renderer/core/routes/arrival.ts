let expected: string | null = null

export function expectArrival(serverId: string): void {
  expected = serverId
}

/** True once for the expected page; cleared if another page comes first. */
export function takeArrival(serverId: string): boolean {
  const isIt = expected === serverId
  expected = null
  return isIt
}
