import type { ApiProfile } from '../api/profile/profile.ts'
import { inEnglish } from '../api/profile/profile-faults.ts'
import type { Log } from '../logging/log.ts'
import type { FileFault, Profiles } from '../profiles/load-profiles.ts'
import { HeaderConstants } from '../profiles/header-constants.ts'
import type { SecretStore } from './secret-store.ts'

interface ServiceProfilesPorts {
  secrets: SecretStore
  /** Reads the files of profiles; without it there are none. */
  load?: (() => Promise<Profiles>) | undefined
  log: Log
}

/** The API profiles of all services as they were read last, and what their headers hold. */
export class ServiceProfiles {
  /** What headers of API profiles hold. */
  readonly headers: HeaderConstants
  readonly #ports: ServiceProfilesPorts
  /** What `headers.sets` was when the files were read last. */
  #asOf = 0
  #now: Profiles = { byBaseUrl: new Map(), fileOf: new Map(), faults: [] }

  constructor(ports: ServiceProfilesPorts) {
    this.#ports = ports
    this.headers = new HeaderConstants(ports.secrets, ports.log)
  }

  /** Reads the files again. */
  async load(): Promise<void> {
    if (!this.#ports.load) return
    const asOf = this.headers.sets
    this.#now = await this.#ports.load()
    this.#asOf = asOf
    for (const fault of this.#now.faults)
      this.#ports.log.warn('a file of API profiles has a fault', {
        fault: [fault.file, inEnglish(fault)].filter(Boolean).join(': '),
      })
  }

  of(baseUrl: string): ApiProfile | null {
    return this.#now.byBaseUrl.get(baseUrl) ?? null
  }

  /** The profile of a service as it is written now, and what is wrong with files of profiles. */
  async fresh(baseUrl: string): Promise<{ profile: ApiProfile | null; faults: readonly FileFault[] }> {
    await this.load()
    return { profile: this.of(baseUrl), faults: this.#now.faults }
  }

  /** Forgets the values of headers that the profile of a service no longer names. Never rejects. */
  async tidy(baseUrl: string): Promise<void> {
    // A file that cannot be read now may be the one that names them.
    if (this.#now.faults.length > 0) return
    await this.headers
      .keepOnly(baseUrl, this.of(baseUrl)?.headers ?? [], this.#asOf)
      .catch((error: unknown) =>
        this.#ports.log.warn('headers that no profile names could not be forgotten', { err: error }),
      )
  }

  /** Forgets what headers of a service hold: it is a secret of the service, and nobody is signed in there any more. */
  async forgetHeaders(baseUrl: string): Promise<void> {
    await this.headers.forget(baseUrl, this.of(baseUrl)?.headers ?? [])
    await this.headers.keepOnly(baseUrl, [])
  }
}
