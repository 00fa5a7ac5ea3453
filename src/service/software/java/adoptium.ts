import { z } from 'zod'
import { refusal, Refusal } from '../../../host/refusal.ts'
import type { RemoteFile } from '../catalog.ts'
import type { CatalogClient } from '../../../extensions/requests/catalog-client.ts'
import { hex, json, listOf } from '../../../extensions/requests/shapes.ts'
import type { JavaComputer } from './java-computer.ts'

const MOST_BYTES = 1024 * 1024
/** In ms; builds appear every few weeks. */
const FRESH_MS = 60 * 60_000

const Assets = listOf(
  z.object({
    release_name: z.string().min(1).max(200),
    version: z.object({ major: z.number().int() }),
    binary: z.object({
      package: z.object({
        name: z.string().min(1).max(300),
        link: z.url({ protocol: /^https?$/ }).max(2000),
        size: z.number().int().positive(),
        checksum: hex('sha256').nullish(),
      }),
    }),
  }),
)

/** Long-term versions; a new one every two years. */
const Releases = z.object({ available_lts_releases: z.array(z.number().int().min(8).max(99)).max(50) })

export interface RemoteJava {
  major: number
  release: string
  file: RemoteFile
}

/** api.adoptium.net/q/swagger-ui */
export class Adoptium {
  readonly #client: CatalogClient
  readonly #base: string

  /** `base`: `https://api.adoptium.net` or a mirror. */
  constructor(client: CatalogClient, base: string) {
    this.#client = client
    this.#base = base
  }

  /** JRE, else JDK; null if neither exists. Rejects with Refusal 502 `software.java-catalogue`. */
  async latest(major: number, computer: JavaComputer, signal: AbortSignal): Promise<RemoteJava | null> {
    for (const image of ['jre', 'jdk']) {
      const [asset] = await this.#assets(major, computer, image, signal)
      if (!asset) continue
      const { name, link, size, checksum } = asset.binary.package
      if (!isSafe(link, this.#base))
        throw refusal(502, 'software.java-catalogue.unencrypted', { host: this.#host })
      // Never run unverified programs.
      if (!checksum)
        throw refusal(502, 'software.java-catalogue.no-checksum', {
          host: this.#host,
          release: asset.release_name,
        })
      return { major, release: asset.release_name, file: { url: link, name, size, checksum } }
    }
    return null
  }

  /** Long-term versions, oldest first. Rejects as `latest` does. */
  async lasting(signal: AbortSignal): Promise<number[]> {
    const url = `${this.#base}/v3/info/available_releases`
    // Mirrors may lack this list.
    const absent = '{"available_lts_releases":[]}'
    const { available_lts_releases: majors } = await this.#ask(url, absent, json(Releases), signal)
    return [...new Set(majors)].sort((a, b) => a - b)
  }

  async #assets(major: number, { os, architecture }: JavaComputer, image: string, signal: AbortSignal) {
    const query = new URLSearchParams({ os, architecture, image_type: image })
    const url = `${this.#base}/v3/assets/latest/${major}/hotspot?${query}`
    // A 404 may also mean an unknown version.
    const assets = await this.#ask(url, '[]', json(Assets), signal)
    return assets.filter(({ version }) => version.major === major)
  }

  async #ask<T>(
    url: string,
    absent: string,
    parse: (text: string) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const question = { url, name: 'Adoptium', parse, absent, freshMs: FRESH_MS, mostBytes: MOST_BYTES }
    try {
      return await this.#client.get(question, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof Refusal ? this.#failed(error.code) : error
    }
  }

  get #host(): string {
    return new URL(this.#base).host
  }

  #failed(code: string): Refusal {
    const host = this.#host
    if (code === 'software.catalogue-busy') return refusal(502, 'software.java-catalogue.busy', { host })
    return code === 'software.catalogue-unreachable' || code === 'software.catalogue-slow'
      ? refusal(502, 'software.java-catalogue.unreachable', { host })
      : refusal(502, 'software.java-catalogue.unreadable', { host })
  }
}

const isSafe = (link: string, base: string) =>
  link.startsWith('https:') || new URL(link).origin === new URL(base).origin
