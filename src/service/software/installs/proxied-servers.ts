import { parseToml, parseYaml } from '../../../host/bounded-parsers.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { readWorldText } from '../../worlds/world-file.ts'

const MOST_BYTES = 64 * 1024

interface ProxyFile {
  file: string
  addresses(text: string): unknown[]
}

const bungee: ProxyFile = {
  file: 'config.yml',
  addresses: (text) =>
    valuesOf(valuesIn(parseYaml(text).value, 'servers')).map((server) => valuesIn(server, 'address')),
}
const FILES: ReadonlyMap<string, ProxyFile> = new Map([
  [
    'velocity',
    { file: 'velocity.toml', addresses: (text) => valuesOf(valuesIn(parseToml(text), 'servers')) },
  ],
  ['bungeecord', bungee],
  ['waterfall', bungee],
])

/** The addresses of a proxy's servers, as its settings name them. None if they can't be read: the proxy says so itself. */
export async function proxiedServers(files: ServerFiles, software: string): Promise<string[]> {
  const proxy = FILES.get(software)
  if (!proxy) return []
  try {
    const read = await readWorldText(files, proxy.file, MOST_BYTES)
    const found = proxy.addresses(read === null || read === 'same' ? '' : read.text)
    return [...new Set(found.filter((one) => typeof one === 'string'))]
  } catch {
    return []
  }
}

const valuesIn = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined

const valuesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : []
