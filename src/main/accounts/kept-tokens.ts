import type { Clock } from '../base/retry.ts'
import type { Log } from '../logging/log.ts'
import type { LiveConnection } from './live-connection.ts'
import type { SecretStore } from './secret-store.ts'

/** A sign-in waits so long for the keychain and then goes on; the token moves there behind it. */
const KEYCHAIN_PATIENCE_MS = 1500

/** Tokens of connections on their way into the keychain and out of it. */
export class KeptTokens {
  readonly #ports: { secrets: SecretStore; clock: Clock; log: Log }
  /** Those on their way in, by connection. */
  readonly #writing = new Map<string, Promise<void>>()

  constructor(ports: { secrets: SecretStore; clock: Clock; log: Log }) {
    this.#ports = ports
  }

  /** Hands a token to the keychain, but waits for it only so long. */
  async keep(live: LiveConnection, token: string): Promise<void> {
    const { secrets, clock } = this.#ports
    const { id } = live.identity
    const writing = (this.#writing.get(id) ?? Promise.resolve())
      .then(() => secrets.write(id, token))
      .then((kept) => {
        if (live.holds(token)) live.kept(kept)
      })
      .finally(() => {
        if (this.#writing.get(id) === writing) this.#writing.delete(id)
      })
    this.#writing.set(id, writing)
    const enough = new AbortController()
    const patience = clock.sleep(KEYCHAIN_PATIENCE_MS, enough.signal).catch(() => {})
    await Promise.race([writing, patience])
    enough.abort()
  }

  async forget(connectionId: string): Promise<void> {
    // A token that is still on its way in would otherwise outlive its connection.
    await this.#writing.get(connectionId)
    const gone = await this.#ports.secrets.clear(connectionId)
    if (!gone) this.#ports.log.warn('The keychain did not confirm that a token is gone.', { connectionId })
  }
}
