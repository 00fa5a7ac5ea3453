import type { Readable } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'
import { z } from 'zod'
import { propertiesIn } from '../../contract/rules/properties-text.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { refusal, Refusal } from '../../host/refusal.ts'
import { entriesOf, openZipIn } from '../../host/open-zip.ts'
import { javaByTable } from './catalogs/minecraft-java.ts'
import { versionOf } from '../../extensions/software/clues.ts'
import { CLASS_HEAD, classEntry, javaOfClass } from '../../extensions/jars/class-version.ts'

/** Bytes read per text; the longest are a few thousand. */
const TEXT_BYTES = 256 * 1024
/** The largest servers have about 50,000. */
const MOST_ENTRIES = 100_000

const MANIFEST = 'META-INF/MANIFEST.MF'
const VERSION = 'version.json'
const VERSIONS = 'META-INF/versions.list'
const PATCH = 'patch.properties'
const LAUNCHER = 'install.properties'
const TEXTS: ReadonlySet<string> = new Set([MANIFEST, VERSION, VERSIONS, PATCH, LAUNCHER])

export interface ServerJar {
  mainClass: string
  /** `exact`: newer ones don't work. */
  java: { major: number; exact: boolean }
  version: string | null
  kind: string | null
  /** What it is based on, by its main class; null if unknown. */
  base: string | null
}

const VersionFile = z.object({
  id: z.string().max(60).optional().catch(undefined),
  java_version: z.number().int().min(5).max(200).optional().catch(undefined),
})

/** Throws Refusal 409 `software.jar-…`. */
export async function readServerJar(files: ServerFiles, name: string): Promise<ServerJar> {
  const { handle } = await files.openRead(name).catch((error: unknown) => {
    if (error instanceof Refusal) throw noJar(name)
    throw error
  })
  await using _closed = handle
  try {
    return await factsOf(() => openZipIn(handle.fd), name)
  } catch (error) {
    throw error instanceof Refusal ? error : notJar(name)
  }
}

/** Entries can be iterated once per call. The caller keeps the handle. */
type ZipOpener = () => Promise<ZipFile>

async function factsOf(open: ZipOpener, name: string): Promise<ServerJar> {
  const texts = new Map<string, string>()
  for (const [entry, text] of await textsIn(await open())) texts.set(entry, text)
  const manifest = fieldsOf(texts.get(MANIFEST) ?? '')
  const mainClass = manifest.get('main-class')
  if (mainClass === undefined || !/^[\w$.]{1,300}$/.test(mainClass)) throw noMainClass(name)
  const stated = versionFile(texts.get(VERSION))
  const list = versionsList(texts.get(VERSIONS))
  const version =
    versionOf(stated?.id) ??
    list?.version ??
    versionOf(propertiesIn(texts.get(LAUNCHER) ?? '').get('game-version')) ??
    versionOf(propertiesIn(texts.get(PATCH) ?? '').get('version'))
  const madeFor = await classVersion(await open(), classEntry(mainClass))
  // A launcher's main class may be in another jar.
  if (madeFor === null && !manifest.has('class-path')) throw noMainClass(name)
  const byVersion = version === null ? 0 : javaByTable(version)
  const major = Math.max(stated?.java_version ?? 0, madeFor ?? 0, byVersion, 8)
  return {
    mainClass,
    // Software for Java 8 rarely runs on newer ones.
    java: { major, exact: major === 8 && version !== null },
    version,
    kind: kindOf(mainClass, list?.kind ?? null, texts.has(LAUNCHER)),
    base: baseOf(mainClass),
  }
}

async function textsIn(zip: ZipFile): Promise<[string, string][]> {
  const found: [string, string][] = []
  for await (const entry of someOf(zip)) {
    if (!TEXTS.has(entry.fileName) || entry.uncompressedSize > TEXT_BYTES) continue
    found.push([entry.fileName, (await headOf(zip, entry, TEXT_BYTES)).toString('utf8')])
    if (found.length > TEXTS.size) break
  }
  return found
}

async function* someOf(zip: ZipFile): AsyncGenerator<Entry> {
  let seen = 0
  for await (const entry of entriesOf(zip)) {
    if (++seen > MOST_ENTRIES) return
    yield entry
  }
}

/** Ignores the declared size. */
async function headOf(zip: ZipFile, entry: Entry, most: number): Promise<Buffer> {
  const stream: Readable = await zip.openReadStreamPromise(entry)
  const pieces: Buffer[] = []
  let bytes = 0
  // Breaking out ends the stream.
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece)
    if ((bytes += piece.length) >= most) break
  }
  return Buffer.concat(pieces).subarray(0, most)
}

async function classVersion(zip: ZipFile, name: string): Promise<number | null> {
  for await (const entry of someOf(zip)) {
    if (entry.fileName !== name) continue
    return javaOfClass(await headOf(zip, entry, CLASS_HEAD))
  }
  return null
}

/** Lower-case names. Lines starting with a space continue the previous one. */
function fieldsOf(manifest: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of manifest.replaceAll(/\r?\n /g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return fields
}

function versionFile(text: string | undefined): z.output<typeof VersionFile> | null {
  try {
    return text === undefined ? null : VersionFile.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** `HASH<tab>VERSION<tab>VERSION/paper-VERSION.jar`: Paper and forks, and vanilla since 1.18. */
function versionsList(text: string | undefined): { version: string | null; kind: string } | null {
  const [, id, path] = text?.split('\n')[0]?.trim().split('\t') ?? []
  const kind = /(?:^|\/)([a-z]{2,30})-[^/]*\.jar$/.exec(path ?? '')?.[1]
  return kind === undefined ? null : { version: versionOf(id), kind }
}

const BY_MAIN_CLASS: readonly (readonly [string, string])[] = [
  ['com.velocitypowered.', 'velocity'],
  ['net.md_5.bungee.', 'bungeecord'],
  ['org.quiltmc.', 'quilt'],
  ['net.fabricmc.', 'fabric'],
  ['net.neoforged.', 'neoforge'],
  ['net.minecraftforge.', 'forge'],
  ['org.bukkit.craftbukkit.', 'spigot'],
  ['io.papermc.paperclip.', 'paper'],
  ['com.destroystokyo.paperclip.', 'paper'],
  ['net.minecraft.', 'vanilla'],
]

function kindOf(mainClass: string, listed: string | null, isLauncher: boolean): string | null {
  if (listed !== null) return listed === 'server' ? 'vanilla' : listed
  if (isLauncher) return 'fabric'
  return baseOf(mainClass)
}

const baseOf = (mainClass: string): string | null =>
  BY_MAIN_CLASS.find(([within]) => mainClass.startsWith(within))?.[1] ?? null

const noJar = (name: string) => refusal(409, 'software.jar-missing', { jar: name })

const notJar = (name: string) => refusal(409, 'software.jar-broken', { jar: name })

const noMainClass = (name: string) => refusal(409, 'software.jar-not-runnable', { jar: name })
