import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { servedOperations } from '../../../src/contract/areas/index.ts'
import type { Operation } from '../../../src/contract/declarations/operation.ts'
import { zipOf } from '../../fixtures/moved-server.ts'
import type { Attack } from './attacks.ts'
import { padded, tarHeader, zipOf as zipOfNames } from './bombs.ts'
import type { Hands, Reply } from './hands.ts'
import {
  jsonShapes,
  logShapes,
  pathShapes,
  propertiesShapes,
  scriptShapes,
  type Shape,
  tomlShapes,
  yamlShapes,
} from './shapes.ts'

const KB = 1024
/** Bytes of a JSON body: as many as the service takes of any. */
const BODY_BYTES = 1024 * KB
/** Characters of a text in a server's folder: the most that its reader takes, or more than it takes; and what all take whole. */
const TEXT_SIZES = ['most', 60 * KB] as const

/** In the long form all shapes are tried, in ms. */
const LONG_MS = 120_000

/** What was tried, and which try took longest, so that a failure names its shape. */
class Tries {
  count = 0
  #slowest = { what: 'none', ms: 0 }

  async of(what: string, act: () => Promise<unknown>): Promise<void> {
    const began = performance.now()
    await act()
    const ms = performance.now() - began
    this.count += 1
    if (ms > this.#slowest.ms) this.#slowest = { what, ms }
  }

  toString(): string {
    return `${this.count} tried, the slowest ${this.#slowest.what} (${this.#slowest.ms.toFixed(0)} ms)`
  }
}

/** Goes through all of them until the time is over. */
async function each<T>(
  list: readonly T[],
  until: number,
  nameOf: (one: T) => string,
  act: (one: T) => Promise<unknown>,
): Promise<string> {
  const tries = new Tries()
  for (const one of list) {
    if (performance.now() >= until) break
    await tries.of(nameOf(one), () => act(one))
  }
  return tries.toString()
}

const pairs = <A, B>(some: readonly A[], others: readonly B[]): [A, B][] =>
  others.flatMap((other) => some.map((one): [A, B] => [one, other]))

const routeOf = ({ path: route }: Operation): string =>
  route.replace(':serverId', ':id').replace(/:(?!id)\w+/g, 'none')

/** Every operation that takes JSON. */
const takeJson = servedOperations.filter(({ body, sends }) => body && sends === null)

/** The first field of a body that can hold anything long. */
const fieldOf = ({ body }: Operation): string => {
  const shape = (body as unknown as { shape?: Record<string, unknown> } | undefined)?.shape
  return Object.keys(shape ?? {}).at(-1) ?? 'value'
}

const bodies: Attack = {
  name: 'bodies of every shape, to every operation that takes JSON',
  longMs: LONG_MS,
  act: (hands, until) =>
    each(
      pairs(takeJson, jsonShapes),
      until,
      ([op, shape]) => `${op.id}, ${shape.name}`,
      async ([op, shape]) => {
        for (const bytes of [BODY_BYTES - 200, 64 * KB - 200]) {
          await hands.ask(op.method, routeOf(op), shape.text(bytes))
          await hands.ask(op.method, routeOf(op), `{"${fieldOf(op)}":${shape.text(bytes)}}`)
        }
      },
    ),
}

const asBytes = (text: string): Record<string, string> => ({
  'Content-Type': 'application/octet-stream',
  'Content-Length': String(Buffer.byteLength(text)),
})

/** A tar of files of one byte. */
const tarOf = (names: readonly string[]): string =>
  Buffer.concat([
    ...names.flatMap((name) => {
      const field = ` path=${name}\n`
      const length = Buffer.byteLength(field) + 1
      const whole = String(length + String(length).length - 1).length + Buffer.byteLength(field)
      const pax = Buffer.from(`${whole}${field}`)
      return [tarHeader('x', pax.length, 'x'), padded(pax), tarHeader('f', 1), padded(Buffer.from('x'))]
    }),
    Buffer.alloc(1024),
  ]).toString('latin1')

const BOUNDARY = 'a-boundary-of-a-form'
const formOf = (name: string): string =>
  [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="path"\r\n\r\n${name}\r\n`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nx\r\n--${BOUNDARY}--\r\n`,
  ].join('')

/** How a path is given to the operations that take one. */
const pathWays: readonly { name: string; send: (hands: Hands, name: string) => Promise<Reply> }[] = [
  {
    name: 'a text that is written',
    send: (hands, name) =>
      hands.ask(
        'PUT',
        `/servers/files/content/:id?path=${encodeURIComponent(name.slice(0, 5000))}`,
        'x',
        asBytes('x'),
      ),
  },
  { name: 'a folder', send: (hands, name) => hands.ask('POST', '/servers/files/folder/:id', { path: name }) },
  ...(['move', 'copy'] as const).map((act) => ({
    name: act,
    send: (hands: Hands, name: string) =>
      hands.ask('POST', `/servers/files/${act}/:id`, {
        items: Array.from({ length: Math.max(1, Math.floor((900 * KB) / name.length)) }, (_, at) => ({
          from: 'shaped',
          to: `${at}/${name}`,
        })).slice(0, 1000),
      }),
  })),
  {
    name: 'a deletion',
    send: (hands, name) =>
      hands.ask('POST', '/servers/files/delete/:id', {
        paths: Array.from(
          { length: Math.max(1, Math.floor((900 * KB) / name.length)) },
          (_, at) => `${at}/${name}`,
        ).slice(0, 1000),
      }),
  },
  {
    name: 'a batch',
    send: (hands, name) => {
      const tar = tarOf(Array.from({ length: 100 }, (_, at) => `${at}/${name}`))
      return hands.ask('POST', '/servers/files/batch/:id', tar, asBytes(tar))
    },
  },
  {
    name: 'a form',
    send: (hands, name) =>
      hands.ask('POST', '/servers/files/upload/:id', formOf(name), {
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      }),
  },
  {
    name: 'a begun upload',
    send: (hands, name) =>
      hands.ask('POST', '/servers/files/upload/:id', undefined, {
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '1',
        'Upload-Metadata': `path ${Buffer.from(name.slice(0, 5000)).toString('base64')}`,
      }),
  },
]

const paths: Attack = {
  name: 'paths of every shape, to every operation that takes one',
  longMs: LONG_MS,
  prepare: async (folder) => void (await mkdir(path.join(folder, 'shaped/inner'), { recursive: true })),
  act: (hands, until) =>
    each(
      pairs(pathWays, pathShapes),
      until,
      ([way, shape]) => `${way.name}, ${shape.name}`,
      ([way, shape]) => way.send(hands, shape.text(60 * KB)),
    ),
}

/** Waits until no job of the server goes on. */
async function untilIdle(hands: Hands, until: number): Promise<void> {
  while (performance.now() < until + 5000) {
    const { body } = await hands.ask('GET', '/servers/files/jobs/:id')
    if (!/"state":"(?:running|waiting)"/.test(body)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const archives: Attack = {
  name: 'archives with names of every shape, extracted',
  longMs: LONG_MS,
  prepare: async (folder) => {
    for (const [at, shape] of pathShapes.entries()) {
      const name = shape.text(60 * KB)
      const names = Array.from({ length: 20 }, (_, number) => `${number}/${name}`)
      await zipOfNames(path.join(folder, `shape-${at}.zip`), names, 0)
      const tar = Buffer.from(tarOf(names), 'latin1')
      await writeFile(path.join(folder, `shape-${at}.tar.gz`), gzipSync(tar))
    }
  },
  act: (hands, until) =>
    each(
      pairs(pathShapes, ['zip', 'tar.gz']),
      until,
      ([shape, format]) => `${format}, ${shape.name}`,
      async ([shape, format]) => {
        const archive = `shape-${pathShapes.indexOf(shape)}.${format}`
        const extract = (to: string) =>
          hands.ask('POST', '/servers/files/extract/:id', { path: archive, to, conflict: 'keep-both' })
        await Promise.all(['out', 'out', 'out'].map(extract))
        await untilIdle(hands, until)
      },
    ),
}

/** What of a server's folder the service reads, and what it is made of. A jar is named with what lies in it. */
const readFiles: readonly { file: string; most?: number; entry?: string; shapes: readonly Shape[] }[] = [
  { file: 'server.properties', shapes: propertiesShapes },
  ...['ops', 'whitelist', 'banned-players', 'banned-ips', 'usercache', 'version_history'].map((name) => ({
    file: `${name}.json`,
    most: 4000 * KB,
    shapes: jsonShapes,
  })),
  {
    file: 'overworld/stats/069a79f4-44e9-4726-a5be-fca90e38aaf5.json',
    most: 1000 * KB,
    shapes: jsonShapes,
  },
  { file: 'logs/latest.log', shapes: logShapes },
  { file: 'crash-reports/crash-2026-01-01_00.00.00-server.txt', shapes: logShapes },
  { file: 'config/paper-global.yml', shapes: yamlShapes },
  { file: 'spigot.yml', shapes: yamlShapes },
  { file: 'velocity.toml', shapes: tomlShapes },
  ...['plugin.yml', 'paper-plugin.yml', 'bungee.yml'].map((entry) => ({
    file: `plugins/${entry}.jar`,
    entry,
    shapes: yamlShapes,
  })),
  ...['fabric.mod.json', 'quilt.mod.json', 'velocity-plugin.json', 'version.json'].map((entry) => ({
    file: `plugins/${entry}.jar`,
    entry,
    shapes: jsonShapes,
  })),
  ...['META-INF/mods.toml', 'META-INF/neoforge.mods.toml'].map((entry) => ({
    file: `plugins/${path.basename(entry)}.jar`,
    entry,
    shapes: tomlShapes,
  })),
  { file: 'plugins/manifest.jar', entry: 'META-INF/MANIFEST.MF', shapes: propertiesShapes },
]

/** Every read of a server that needs nothing but the server. */
const readsOfServer = servedOperations.filter(
  ({ kind, path: route }) => kind === 'read' && /^[^:]*:serverId$/.test(route) && !/events/.test(route),
)

const files: Attack = {
  name: 'texts and jars of every shape in the folder of a server, and all reads of it',
  longMs: LONG_MS,
  act: (hands, until) =>
    each(
      pairs(
        TEXT_SIZES,
        Array.from({ length: 15 }, (_, at) => at),
      ),
      until,
      ([size, at]) => `${size} characters, shapes number ${at}`,
      async ([size, at]) => {
        for (const { file, most = 250 * KB, entry, shapes } of readFiles) {
          const text = shapes[at % shapes.length]?.text(size === 'most' ? most : size) ?? ''
          const to = path.join(hands.folder, file)
          await mkdir(path.dirname(to), { recursive: true })
          await writeFile(to, entry === undefined ? text : await zipOf({ [entry]: text }))
        }
        await Promise.all(readsOfServer.map((op) => hands.ask(op.method, routeOf(op))))
      },
    ),
}

/** What move-in reads to find out what ran a server. As many scripts as it reads have the same shape. */
const movedFiles: readonly { file: string; shapes: readonly Shape[] }[] = [
  ...Array.from({ length: 12 }, (_, at) => ({ file: `start-${at}.sh`, shapes: scriptShapes })),
  { file: 'server.properties', shapes: propertiesShapes },
  { file: 'version_history.json', shapes: jsonShapes },
  { file: 'logs/latest.log', shapes: logShapes },
]

const movesIn: Attack = {
  name: 'texts of every shape, moved in',
  longMs: LONG_MS,
  act: (hands, until) =>
    each(
      scriptShapes.map((_, at) => at),
      until,
      (at) => `shapes number ${at}`,
      async (at) => {
        const { id } = JSON.parse((await hands.ask('POST', '/imports')).body) as { id: string }
        const texts = movedFiles.map(({ file, shapes }) => [
          file,
          shapes[at % shapes.length]?.text(60 * KB) ?? '',
        ])
        await hands.upload(id, 'server.zip', await zipOf(Object.fromEntries(texts) as Record<string, string>))
        await hands.ask('POST', `/imports/look/${id}`, { archive: 'server.zip' })
        for (let state = ''; !/"state":"ready"/.test(state);) {
          if (/failed/.test(state) || performance.now() > until + 5000) throw new Error(`Not read: ${state}`)
          state = (await hands.ask('GET', `/imports/${id}`)).body
        }
        await hands.ask('DELETE', `/imports/${id}`)
      },
    ),
}

export const attacksByShape: readonly Attack[] = [bodies, paths, archives, files, movesIn]
