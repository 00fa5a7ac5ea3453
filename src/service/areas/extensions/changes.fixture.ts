import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { ServerFiles } from '../../files/server-files.ts'
import { JarReader } from '../../extensions/jars/jar-reader.ts'
import { ServerExtensions } from './server-extensions.ts'
import { inServer, staged as inStaging, trashed } from '../../../extensions/folder/step.ts'
import { markOf } from '../../changes/steps.ts'

/** The extensions of a Paper server whose folders lie in one, without a service around it. */
export function openExtensions(folder: string, isDown = () => true): Promise<ServerExtensions> {
  const files = new ServerFiles({
    serverId: 'server',
    root: path.join(folder, 'servers'),
    staging: path.join(folder, 'staging'),
    trash: path.join(folder, 'trash'),
    maxFileBytes: null,
    quotaBytes: null,
    running: () => !isDown(),
  })
  return ServerExtensions.open({
    files,
    target: { software: 'paper', version: '1.20.4' },
    reader: new JarReader(() => ''),
    clock: { now: () => Date.UTC(2026, 0, 1), elapsed: () => 0, seen: () => 0 },
    log: pino({ level: 'silent' }),
    isDown,
    java: () => Promise.resolve(null),
  })
}

/** What lies in the folder of plugins: name → content. */
export const contents = (folder: string): Record<string, string> => {
  const plugins = path.join(folder, 'servers/plugins')
  return Object.fromEntries(
    readdirSync(plugins)
      .sort()
      .map((name) => [name, readFileSync(path.join(plugins, name), 'utf8')]),
  )
}

export const BEFORE = { 'a.jar': 'a, old', 'b.jar': 'b', 'd.jar': 'd' }
/** `a` is updated in its place, `b` disabled, `c` new, `d` removed. */
export const AFTER = { 'a.jar': 'a, new', 'b.jar.disabled': 'b', 'c.jar': 'c' }

/** Puts there what is before. */
export function prepare(folder: string): void {
  mkdirSync(path.join(folder, 'servers/plugins'), { recursive: true })
  for (const [name, text] of Object.entries(BEFORE))
    writeFileSync(path.join(folder, 'servers/plugins', name), text)
}

/** Does all kinds of steps as one change. */
export function changeAll(extensions: ServerExtensions) {
  const staged = (name: string, text: string) => {
    const at = extensions.work.staged(name)
    writeFileSync(at, text)
    extensions.work.preparing.add(name)
    const stat = lstatSync(at)
    return { from: inStaging(name), mark: markOf(stat), size: stat.size }
  }
  const [a, c] = [staged('1.jar', 'a, new'), staged('2.jar', 'c')]
  const newTrash = extensions.newTrash()
  const done = extensions.commit(
    (jars) => {
      const of = (name: string) => {
        const { path, mark, size } = jars.get(`plugins/${name}`)!
        return { from: inServer(path), mark, size }
      }
      return {
        items: [{ name: 'A', from: 'old', to: 'new' }],
        steps: [
          { ...of('a.jar'), to: trashed(newTrash()) },
          { ...a, to: inServer('plugins/a.jar') },
          { ...of('b.jar'), to: inServer('plugins/b.jar.disabled') },
          { ...c, to: inServer('plugins/c.jar') },
          { ...of('d.jar'), to: trashed(newTrash()) },
        ],
      }
    },
    () => undefined,
  )
  return done.finally(() => extensions.work.preparing.clear())
}
