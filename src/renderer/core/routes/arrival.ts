/** The server that was just created, until its page is there. */
let expected: string | null = null

/** Says that a server's page is about to be shown because it was created. */
export function expectArrival(serverId: string): void {
  expected = serverId
}

/** Whether this page is the one that was expected; it is so once, and no longer where another page is shown before it. */
export function takeArrival(serverId: string): boolean {
  const isIt = expected === serverId
  expected = null
  return isIt
}
