import { z } from 'zod'
import { readDataJson, writeDataFile } from '../../host/data-file.ts'
import type { RemoteFile, WantedJava } from './catalog.ts'
import { does } from './java/choose-java.ts'

const File = z.object({
  url: z.string(),
  name: z.string(),
  size: z.number().nullable(),
  checksum: z
    .object({ algorithm: z.enum(['md5', 'sha1', 'sha256', 'sha512']), value: z.string() })
    .nullable(),
})
const ReleaseRecord = z.object({
  software: z.string(),
  version: z.string(),
  build: z.string().nullable(),
  java: z.object({ major: z.number().int(), exact: z.boolean() }),
  files: z.array(File).max(5),
})
type ReleaseRecord = z.infer<typeof ReleaseRecord>

const MOST = 300

export interface KeptReleasesPorts {
  has: (file: RemoteFile) => Promise<boolean>
  javas: () => Promise<readonly { major: number }[]>
}

interface InstalledBuild {
  version: string
  build: string | null
}

/** Remembers completely installed builds, so other servers can have them offline. */
export class KeptReleases {
  readonly #file: string
  readonly #ports: KeptReleasesPorts

  /** @param file exclusive to this object */
  constructor(file: string, ports: KeptReleasesPorts) {
    this.#file = file
    this.#ports = ports
  }

  /** Never fails the installation. */
  async note(kept: Omit<ReleaseRecord, 'java'> & { java: WantedJava }): Promise<void> {
    const isSame = (one: ReleaseRecord) =>
      one.software === kept.software && one.version === kept.version && one.build === kept.build
    const others = (await this.#read()).filter((one) => !isSame(one))
    try {
      writeDataFile(this.#file, `${JSON.stringify([kept, ...others].slice(0, MOST))}\n`)
    } catch {
      // Only a mark in a list is lost.
    }
  }

  /** Only those still complete, with a matching Java. */
  async of(software: string): Promise<InstalledBuild[]> {
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

  async #read(): Promise<ReleaseRecord[]> {
    return (await readDataJson(this.#file, (value) => z.array(ReleaseRecord).parse(value))) ?? []
  }
}

/** @param idOf which part of a build the list shows */
export async function marked<T extends { id: string }>(
  entries: readonly T[],
  here: Promise<readonly InstalledBuild[]>,
  idOf: (one: InstalledBuild) => string | null,
): Promise<(T & { isHere: boolean })[]> {
  const ids = new Set((await here).map(idOf))
  return entries.map((one) => ({ ...one, isHere: ids.has(one.id) }))
}
