import { z } from 'zod'
import { Refusal } from '../../../../host/refusal.ts'
import { type CatalogClient, UNCHANGING_MS } from '../../../../extensions/requests/catalog-client.ts'
import { versionNotKnown } from './kind-catalog.ts'
import { javaByTable } from '../minecraft-java.ts'
import { hex, Id, json, listOf, safeFileUrl, Size } from '../../../../extensions/requests/shapes.ts'

const NAME = 'Mojang'

const Manifest = z.object({
  latest: z.object({ release: z.string() }).nullish().catch(null),
  versions: listOf(
    z.object({
      id: Id,
      type: z.string(),
      url: z.string(),
      releaseTime: z.string().nullish().catch(null),
      sha1: hex('sha1').nullish().catch(null),
    }),
  ),
})

const Details = z.object({
  downloads: z.object({
    server: z.object({ url: z.string(), sha1: hex('sha1'), size: Size }).optional(),
  }),
  javaVersion: z
    .object({ majorVersion: z.int().min(6).max(999) })
    .nullish()
    .catch(null),
})

/** Mojang's version list, which also says which Java a version needs. */
export class Mojang {
  readonly base: string
  readonly #client: CatalogClient

  constructor(client: CatalogClient, base: string) {
    this.#client = client
    this.base = base
  }

  async manifest(signal: AbortSignal): Promise<z.infer<typeof Manifest>> {
    const url = `${this.base}/mc/game/version_manifest_v2.json`
    return this.#client.get({ url, name: NAME, parse: json(Manifest) }, signal)
  }

  async details(version: string, signal: AbortSignal): Promise<z.infer<typeof Details>> {
    const entry = (await this.manifest(signal)).versions.find(({ id }) => id === version)
    if (!entry) throw versionNotKnown('Minecraft')
    const url = safeFileUrl(entry.url, this.base, NAME)
    // Immutable by checksum.
    const known = entry.sha1 ? { checksum: entry.sha1, freshMs: UNCHANGING_MS } : {}
    return this.#client.get({ url, name: NAME, parse: json(Details), ...known }, signal)
  }

  async javaOf(version: string, signal: AbortSignal): Promise<number> {
    try {
      const { javaVersion } = await this.details(version, signal)
      return javaVersion?.majorVersion ?? javaByTable(version)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return javaByTable(version)
    }
  }
}
