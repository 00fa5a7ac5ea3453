// @ts-check
// Makes the installers of this system, and puts what belongs to a release into the folder `release`.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Plain, at, main, node24, run } from '../scripts/project.js'
import { proofsOfSigning, publisherFault, signingEnvironment, unsignedNote } from './signing.js'

/** Installers, what updates are made of, and the feeds that tell of them. */
const released = /\.(AppImage|deb|rpm|dmg|zip|exe|blockmap|tar\.gz|sha256)$|^(latest|beta|alpha)[\w-]*\.yml$/

await main(async () => {
  // Asked first: building takes long.
  const unsigned = unsignedNote(process.env, process.platform)
  const { env, done } = await signingEnvironment(process.env, process.env.RUNNER_TEMP ?? tmpdir())
  const notes = 'release-notes.md'
  const steps = [
    ['build/workflows/release-notes.js', at(notes)],
    ['build/scripts/package.js', `-c.releaseInfo.releaseNotesFile=${at(notes)}`],
  ]
  // It is the same on every system.
  if (process.platform === 'linux' && process.arch === 'x64') steps.push(['build/scripts/package-service.js'])
  try {
    for (const [script = '', ...args] of steps) {
      const { code } = await run(node24(), [at(script), ...args], { env })
      if (code !== 0) return code
    }
  } finally {
    await done()
  }
  const unpacked = at(process.arch === 'arm64' ? 'dist/win-arm64-unpacked' : 'dist/win-unpacked')
  const program = {
    darwin: at('dist/mac-universal/Wheelhouse.app'),
    win32: path.join(unpacked, 'Wheelhouse.exe'),
  }[/** @type {string} */ (process.platform)]
  const { WIN_CSC_LINK: certificate, WHEELHOUSE_PUBLISHER: publisher = '' } = process.env
  if (process.platform === 'win32' && certificate) {
    const update = path.join(unpacked, 'resources/app-update.yml')
    const fault = publisherFault(await readFile(update, 'utf8'), publisher)
    if (fault !== null) throw new Plain(fault)
  }
  for (const [file = '', ...args] of proofsOfSigning(process.env, process.platform, program ?? '')) {
    const { code } = await run(file, args)
    if (code !== 0) return code
  }
  await mkdir(at('release'), { recursive: true })
  for (const name of await readdir(at('dist')))
    if (released.test(name)) await cp(at('dist', name), path.join(at('release'), name))
  // One for each machine: two of Windows build a part each.
  if (unsigned !== null)
    await writeFile(
      path.join(at('release'), `unsigned-${process.platform}-${process.arch}.txt`),
      `${unsigned}\n`,
    )
  return 0
})
