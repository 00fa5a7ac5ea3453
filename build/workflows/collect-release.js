// @ts-check
// node build/workflows/collect-release.js BUILT RELEASE: everything that was built, in one folder: feeds of the same name put
// together, the checksums of all files, and a list of what the program is made of (SBOM).
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse, stringify } from 'yaml'
import { Plain, main, say } from '../scripts/project.js'
import { billText } from './bill.js'

/**
 * One feed of several: x64 and arm64 of Windows are built on two machines, each of which tells of its own installer.
 * @param {string[]} feeds their texts, of which each names the same version
 */
export function oneFeed(feeds) {
  const all = feeds.map((text) => parse(text))
  const [first] = all
  for (const { version } of all)
    if (version !== first.version)
      throw new Plain(`Feeds of ${first.version} and of ${version} do not go together.`)
  const files = new Map(all.flatMap((feed) => feed.files).map((file) => [file.url, file]))
  // Programs that do not look at their processor take the first one.
  const sorted = [...files.values()].sort((a, b) => Number(/arm64/.test(a.url)) - Number(/arm64/.test(b.url)))
  return stringify({ ...first, files: sorted, path: sorted[0].url, sha512: sorted[0].sha512 })
}

/** @param {string} file @returns {Promise<string>} its SHA-256, in hex */
async function sha256(file) {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}

/** @param {string} built a folder of folders, one for each machine @param {string} release */
export async function collect(built, release) {
  await mkdir(release, { recursive: true })
  /** @type {Map<string, string[]>} */
  const places = new Map()
  for (const machine of await readdir(built))
    for (const name of await readdir(path.join(built, machine)))
      places.set(name, [...(places.get(name) ?? []), path.join(built, machine, name)])
  for (const [name, files] of places) {
    const [first = ''] = files
    const target = path.join(release, name)
    if (files.length === 1) await cp(first, target)
    else if (!name.endsWith('.yml')) throw new Plain(`${name} was built by ${files.length} machines.`)
    else await writeFile(target, oneFeed(await Promise.all(files.map((file) => readFile(file, 'utf8')))))
  }
  const names = (await readdir(release)).filter((name) => name !== 'SHA256SUMS').sort()
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256(path.join(release, name))}  ${name}\n`),
  )
  await writeFile(path.join(release, 'SHA256SUMS'), lines.join(''))
  return names
}

if (process.argv[1] === import.meta.filename)
  await main(async () => {
    const [built, release] = process.argv.slice(2)
    if (!built || !release) throw new Plain('Usage: node build/workflows/collect-release.js BUILT RELEASE')
    await mkdir(release, { recursive: true })
    await writeFile(path.join(release, 'wheelhouse.cdx.json'), await billText())
    for (const name of await collect(built, release)) say(name)
    return 0
  })
