// @ts-check
// npm run relay: compiles the relay of proxies in containers, with the javac and jar of a JDK.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { at, main, run, say } from './project.js'

const source = at('src/service/runtime/containers/relay/Relay.java')
const target = at('src/service/runtime/containers/relay/relay-jar.ts')

await main(async () => {
  const work = await mkdtemp(path.join(tmpdir(), 'relay-'))
  const jar = path.join(work, 'relay.jar')
  const manifest = path.join(work, 'manifest')
  await writeFile(manifest, 'Premain-Class: wheelhouse.Relay\n')
  const classes = path.join(work, 'classes')
  const date = ['--date', '2026-01-01T00:00:00Z']
  const compiled = await run('javac', ['--release', '8', '-g:none', '-Xlint:-options', '-d', classes, source])
  const packed = await run('jar', ['-c', '-f', jar, '-m', manifest, ...date, '-C', classes, '.'])
  if (compiled.code !== 0 || packed.code !== 0) return 1
  const [text, bytes] = await Promise.all([readFile(source), readFile(jar)])
  await writeFile(
    target,
    `// Made from Relay.java by npm run relay.\n\n` +
      `/** SHA-256 of Relay.java. */\nexport const RELAY_SOURCE = '${createHash('sha256').update(text).digest('hex')}'\n\n` +
      `/** Base64. */\nexport const RELAY_JAR =\n  '${bytes.toString('base64')}'\n`,
  )
  await rm(work, { recursive: true })
  say(path.relative(at('.'), target))
  return 0
})
