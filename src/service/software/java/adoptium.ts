import type { Readable } from 'node:stream'
import { request, type Dispatcher } from 'undici'
import { z } from 'zod'
import { Refusal } from '../../refusal.ts'
import type { RemoteFile } from '../catalogue.ts'
import { reasonOfNetwork } from '../downloads/request-file.ts'
import type { JavaComputer } from './java-computer.ts'

/** An honest answer has some thousand bytes. */
const MOST_BYTES = 1024 * 1024
const PATIENCE_MS = 30_000

/** What is needed of an asset; whatever else it has is left alone. */
const Asset = z.object({
  release_name: z.string().min(1).max(200),
  version: z.object({ major: z.number().int() }),
  binary: z.object({
    package: z.object({
      name: z.string().min(1).max(300),
      link: z.url({ protocol: /^https?$/ }).max(2000),
      size: z.number().int().positive(),
      checksum: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/)
        .nullish(),
    }),
  }),
})

/** A Java that can be fetched. */
export interface RemoteJava {
  major: number
  /** `jdk-21.0.5+11-jre`. */
  release: string
  file: RemoteFile
}

export interface AdoptiumOptions {
  /** `https://api.adoptium.net`, or what stands in its place. */
  baseUrl: string
  userAgent: string
  dispatcher?: Dispatcher
}

/** The catalogue of Eclipse Adoptium (api.adoptium.net/q/swagger-ui). */
export class Adoptium {
  readonly #options: AdoptiumOptions

  constructor(options: AdoptiumOptions) {
    this.#options = options
  }

  /**
   * The newest build of a version for a computer: what runs programs, or, where only that is built, what makes them too.
   * Rejects with Refusal 404 `software.java-not-built`, 502 `software.java-catalogue`, or the signal's reason.
   */
  async latest(major: number, computer: JavaComputer, signal: AbortSignal): Promise<RemoteJava> {
    for (const image of ['jre', 'jdk']) {
      const [asset] = await this.#ask(major, computer, image, signal)
      if (!asset) continue
      const { name, link, size, checksum } = asset.binary.package
      if (!isSafe(link, this.#options.baseUrl)) throw this.#failed('it gives an address without encryption')
      // A program that nobody can verify is not run.
      if (!checksum) throw this.#failed(`it lists no checksum for ${asset.release_name}`)
      const sum = { algorithm: 'sha256', value: checksum.toLowerCase() } as const
      return { major, release: asset.release_name, file: { url: link, name, size, checksum: sum } }
    }
    throw new Refusal(
      404,
      'software.java-not-built',
      `Adoptium doesn't offer Java ${major} for this computer (${computer.os}, ${computer.architecture}). ` +
        `Install Java ${major} yourself, or choose another version of the server.`,
    )
  }

  async #ask(major: number, { os, architecture }: JavaComputer, image: string, outer: AbortSignal) {
    const url = new URL(`v3/assets/latest/${major}/hotspot`, withSlash(this.#options.baseUrl))
    url.search = new URLSearchParams({ os, architecture, image_type: image }).toString()
    const signal = AbortSignal.any([outer, AbortSignal.timeout(PATIENCE_MS)])
    const { dispatcher, userAgent } = this.#options
    const text = await (async () => {
      const headers = { 'user-agent': userAgent, accept: 'application/json', 'accept-encoding': 'identity' }
      const { statusCode, body } = await request(url, { dispatcher, signal, headers })
      body.on('error', () => undefined)
      if (statusCode === 200) return readBounded(body)
      body.destroy()
      // It says so too where it knows nothing of a version.
      if (statusCode === 404) return '[]'
      throw new Error(`it answered with an error (${statusCode})`)
    })().catch((error: unknown) => {
      outer.throwIfAborted()
      throw this.#failed(signal.aborted ? 'it does not answer' : reasonOfNetwork(error))
    })
    try {
      const assets = z.array(z.unknown()).parse(JSON.parse(text))
      const read = assets.flatMap((asset) => Asset.safeParse(asset).data ?? [])
      if (read.length === 0 && assets.length > 0) throw new Error('none of them could be read')
      return read.filter(({ version }) => version.major === major)
    } catch {
      throw this.#failed("its answer couldn't be read")
    }
  }

  #failed(reason: string): Refusal {
    const { host } = new URL(this.#options.baseUrl)
    return new Refusal(
      502,
      'software.java-catalogue',
      `Java couldn't be looked up at ${host}: ${reason}. Try again later, or install Java yourself.`,
    )
  }
}

async function readBounded(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length
    if (bytes > MOST_BYTES) throw new Error('its answer is too long')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Encrypted, or where the catalogue itself is. */
const isSafe = (link: string, base: string) =>
  link.startsWith('https:') || new URL(link).origin === new URL(base).origin

const withSlash = (url: string) => (url.endsWith('/') ? url : `${url}/`)
