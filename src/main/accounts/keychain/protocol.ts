/** Service name of all our keychain entries; the account is the connection's id. */
export const KEYCHAIN_SERVICE = 'Wheelhouse'

export type KeychainAsk =
  | { id: number; do: 'get'; account: string }
  | { id: number; do: 'set'; account: string; secret: string }
  | { id: number; do: 'delete'; account: string }

/** Error code; only the child parses libsecret's messages. */
export type KeychainFault = 'no-keytar' | 'no-bus' | 'no-keyring' | 'other'

export type KeychainAnswer =
  { id: number; ok: true; value: string | null } | { id: number; ok: false; fault: KeychainFault }

/** A running child: a fork in Node, a utilityProcess in Electron. */
export interface KeychainChild {
  send(ask: KeychainAsk): void
  onAnswer(listener: (answer: KeychainAnswer) => void): void
  onEnd(listener: () => void): void
  /** SIGKILL: a child waiting for a locked keyring ignores anything less. */
  kill(): void
}
