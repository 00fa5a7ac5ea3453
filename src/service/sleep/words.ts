/** What players read in their game. The game tells a server their language only once they are in. */
export const said = {
  asleep: 'This server is asleep.',
  /** Below its own line in the list. */
  listed: 'Asleep',
  listedToWake: 'Asleep. Join to wake it',
  busy: 'This server is being worked on. Join again later.',
  tooOften: 'This server is asleep. Join again in a few minutes.',
  failed: 'The server could not be woken up. Tell its owner.',
  ending: 'The server cannot be woken up now. Join again later.',
  long: 'The server is still waking up. Join again in a minute.',
  /** `seconds`: about, null if not known. */
  waking: (seconds: number | null): string =>
    seconds === null
      ? 'Waking up. Join again in a minute.'
      : `Waking up. Join again in about ${seconds} seconds.`,
}
