import { Lanes } from '../../contract/rules/lanes.ts'
import type { Clock } from '../base/retry.ts'
import type { Log } from '../logging/log.ts'
import { forgetHostSecrets } from './host-secrets.ts'
import type { Identity } from './identity.ts'
import type { LiveConnection } from './live-connection.ts'
import type { SecretStore } from './secret-store.ts'

/** A sign-in waits this long for the keychain; after that the token is stored in the background. */
const KEYCHAIN_PATIENCE_MS = 1500

export class KeptTokens {
  readonly #ports: { secrets: SecretStore; clock: Clock; log: Log }
  /** One at a time, or a token still being written would outlive its connection. */
  readonly #turns = new Lanes({ perLane: 1 })

  constructor(ports: { secrets: SecretStore; clock: Clock; log: Log }) {
    this.#ports = ports
  }

  async keep(live: LiveConnection, token: string): Promise<void> {
    const { secrets, clock } = this.#ports
    const { id } = live.identity
    const writing = this.#turns.run(id, async () => {
      const kept = await secrets.write(id, token)
      if (live.holds(token)) live.kept(kept)
      // Whoever signs in again wants the host as it is now.
      await forgetHostSecrets(secrets, live.identity, ['host-keys'])
    })
    const enough = new AbortController()
    const patience = clock.sleep(KEYCHAIN_PATIENCE_MS, enough.signal).catch(() => {})
    await Promise.race([writing, patience])
    enough.abort()
  }

  async forget(identity: Identity): Promise<void> {
    const { secrets } = this.#ports
    const connectionId = identity.id
    const gone = await this.#turns.run(connectionId, async () => {
      await forgetHostSecrets(secrets, identity)
      return secrets.clear(connectionId)
    })
    if (!gone) this.#ports.log.warn('The keychain did not confirm that a token is gone.', { connectionId })
  }
}
