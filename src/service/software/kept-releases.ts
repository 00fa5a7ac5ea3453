import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../host/data-file.ts'
import type { RemoteFile, WantedJava } from './catalogue.ts'
import { does } from './java/choose-java.ts'

const File = z.object({
  url: z.string(),
  name: z.string(),
  size: z.number().nullable(),
  checksum: z
    .object({ algorithm: z.enum(['md5', 'sha1', 'sha256', 'sha512']), value: z.string() })
    .nullable(),
})
const Kept = z.object({
  software: z.string(),
  version: z.string(),
  build: z.string().nullable(),
  java: z.object({ major: z.number().int(), exact: z.boolean() }),
  /** All that a new server with it takes. */
  files: z.array(File).max(5),
})
type Kept = z.infer<typeof Kept>

/** Builds that are remembered; who has installed more than that has not kept them all. */
const MOST = 300

export interface KeptReleasesPorts {
  /** Whether a download is there. */
  has: (file: RemoteFile) => Promise<boolean>
  /** Major versions of the Javas that are here. */
  javas: () => Promise<readonly { major: number }[]>
}

/** A build that can be installed without a network. */
export interface BuildHere {
  version: string
  build: string | null
}

/** Which builds were installed once with all that they take, so that another server can have them without a network. */
export class KeptReleases {
  readonly #file: string
  readonly #ports: KeptReleasesPorts

  /** @param file of this object alone */
  constructor(file: string, ports: KeptReleasesPorts) {
    this.#file = file
    this.#ports = ports
  }

  /** Everything of a build was here just now. Where that cannot be noted, its server is none the less installed. */
  async note(kept: Omit<Kept, 'java'> & { java: WantedJava }): Promise<void> {
    const isSame = (one: Kept) =>
      one.software === kept.software && one.version === kept.version && one.build === kept.build
    const others = (await this.#read()).filter((one) => !isSame(one))
    try {
      writeDataFile(this.#file, `${JSON.stringify([kept, ...others].slice(0, MOST))}\n`)
    } catch {
      // Only a mark in a list is lost with it.
    }
  }

  /** Those of a software that are still here as a whole, with a Java that runs them. */
  async of(software: string): Promise<BuildHere[]> {
    const noted = (await this.#read()).filter((one) => one.software === software)
    if (noted.length === 0) return []
    const javas = await this.#ports.javas()
    const runs = noted.filter(({ java }) => javas.some(({ major }) => does(java, major)))
    const here = await Promise.all(runs.map(({ files }) => this.#hasAll(files)))
    return runs.filter((_, at) => here[at]).map(({ version, build }) => ({ version, build }))
  }

  async #hasAll(files: readonly RemoteFile[]): Promise<boolean> {
    for (const file of files) if (!(await this.#ports.has(file))) return false
    return true
  }

  async #read(): Promise<Kept[]> {
    return (await readDataJson(this.#file, (value) => z.array(Kept).parse(value))) ?? []
  }
}

/**
 * Entries of a list with a mark on those that are here.
 *
 * @param idOf what of a build the list names
 */
export async function marked<T extends { id: string }>(
  entries: readonly T[],
  here: Promise<readonly BuildHere[]>,
  idOf: (one: BuildHere) => string | null,
): Promise<(T & { isHere: boolean })[]> {
  const ids = new Set((await here).map(idOf))
  return entries.map((one) => ({ ...one, isHere: ids.has(one.id) }))
}
