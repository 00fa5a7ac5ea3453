/** Every entry of ours stands under this name in the keychain; the account is the connection's id. */
export const KEYCHAIN_SERVICE = 'Wheelhouse'

/** What the child is asked. */
export type KeychainAsk =
  | { id: number; do: 'get'; account: string }
  | { id: number; do: 'set'; account: string; secret: string }
  | { id: number; do: 'delete'; account: string }

/** Why the keychain could not be used, as a code; the child alone reads libsecret's words. */
export type KeychainFault = 'no-keytar' | 'no-bus' | 'no-keyring' | 'other'

/** What the child answers. */
export type KeychainAnswer =
  { id: number; ok: true; value: string | null } | { id: number; ok: false; fault: KeychainFault }

/** A running child, however it was started: a fork in Node, a utilityProcess in Electron. */
export interface KeychainChild {
  send(ask: KeychainAsk): void
  /** Told of every answer. */
  onAnswer(listener: (answer: KeychainAnswer) => void): void
  /** Told once, when the child is gone for whatever reason. */
  onEnd(listener: () => void): void
  /** Ends it by pid with SIGKILL: a keychain that waits for a locked keyring ends by nothing less. */
  kill(): void
}
