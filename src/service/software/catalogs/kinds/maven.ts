import { Refusal } from '../../../../host/refusal.ts'
import type { Checksum, Release } from '../../catalog.ts'
import { type CatalogClient, UNCHANGING_MS } from '../../../../extensions/requests/catalog-client.ts'
import { CatalogFault, refusalOf } from '../../../../extensions/requests/faults.ts'
import { ENTRIES_MOST, fileName, hex } from '../../../../extensions/requests/shapes.ts'

const BESIDE = ['sha256', 'sha1'] as const

/** Requires a checksum file: we will run the artifact. */
export async function mavenInstaller(
  client: CatalogClient,
  url: string,
  name: string,
  signal: AbortSignal,
): Promise<Pick<Release, 'file' | 'form'>> {
  const checksum = await checksumBeside(client, url, name, signal)
  const file = { url, name: fileName(decodeURIComponent(new URL(url).pathname)), size: null, checksum }
  return { file, form: 'installer' }
}

async function checksumBeside(
  client: CatalogClient,
  url: string,
  name: string,
  signal: AbortSignal,
): Promise<Checksum> {
  for (const algorithm of BESIDE) {
    try {
      // Some repositories append the file name.
      const parse = (text: string) => hex(algorithm).parse(text.trim().split(/\s/, 1)[0])
      const question = { url: `${url}.${algorithm}`, name, parse, freshMs: UNCHANGING_MS }
      return await client.get(question, signal)
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'software.catalogue-missing')) throw error
    }
  }
  throw refusalOf(new CatalogFault('missing', 'There is no checksum beside the file.'), name)
}

const VERSION = /<version>\s*([A-Za-z0-9][\w.+-]{0,79})\s*<\/version>/g

export function mavenVersions(xml: string): string[] {
  const [begin, end] = [xml.indexOf('<versions>'), xml.lastIndexOf('</versions>')]
  const listed = begin >= 0 && begin < end ? xml.slice(begin, end) : ''
  const versions: string[] = []
  for (const [, version = ''] of listed.matchAll(VERSION))
    if (versions.push(version) > ENTRIES_MOST) throw new Error('The metadata lists too many versions.')
  if (versions.length === 0) throw new Error('The metadata has no list of versions that can be used.')
  return versions
}
