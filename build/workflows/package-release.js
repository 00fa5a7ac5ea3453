// @ts-check
// Makes the installers of this system, and puts what belongs to a release into the folder `release`.
import { cp, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { at, main, node24, run } from '../scripts/project.js'

/** Installers, what updates are made of, and the feeds that tell of them. */
const released = /\.(AppImage|deb|rpm|dmg|zip|exe|blockmap|tar\.gz|sha256)$|^(latest|beta|alpha)[\w-]*\.yml$/

await main(async () => {
  // An empty variable is a secret that is not there; electron-builder would take it for a certificate.
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
  const steps = [['build/scripts/package.js']]
  // It is the same on every system.
  if (process.platform === 'linux' && process.arch === 'x64') steps.push(['build/scripts/package-service.js'])
  for (const [script = '', ...args] of steps) {
    const { code } = await run(node24(), [at(script), ...args], { env })
    if (code !== 0) return code
  }
  await mkdir(at('release'), { recursive: true })
  for (const name of await readdir(at('dist')))
    if (released.test(name)) await cp(at('dist', name), path.join(at('release'), name))
  return 0
})
