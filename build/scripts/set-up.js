// @ts-check
// What the tests need of a machine. On Debian as root it is installed; elsewhere it is said.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { hasChromium } from './chromium.js'
import { Plain, at, environment, node24, run, say } from './project.js'

/**
 * Debian's packages. keytar is compiled where its prebuilt file cannot be fetched, which needs the first five. With the last two,
 * which are `unzip` and `bsdtar`, tests compare how archives are read and written; without them they compare with fewer programs.
 */
const packages = [
  'g++',
  'make',
  'python3',
  'pkg-config',
  'libsecret-1-dev',
  'libsecret-1-0',
  'chromium-headless-shell',
  'dbus',
  'gnome-keyring',
  'unzip',
  'libarchive-tools',
]

/** Tests compile a Java program, which takes any JDK of Java 8 or later: where there is one, another is not wanted. */
const jdk = { tools: ['java', 'javac', 'jar'], package: 'default-jdk-headless' }

/** Backups are tested with any of these that is there; without one, those tests are left out. */
const restic = { tools: ['restic'], package: 'restic' }
const sftp = { tools: ['sshd'], package: 'openssh-server' }
const rclone = { tools: ['rclone'], package: 'rclone' }

const keytar = 'keytar@7.9.0'
const keytarBuilt = at('node_modules/keytar/build/Release/keytar.node')

/** @returns {Promise<string[]>} names of packages that are not installed */
async function missingPackages() {
  const { output } = await run('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n', ...packages], {
    quiet: true,
  })
  const installed = new Set(
    output
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  )
  const missing = packages.filter((name) => !installed.has(name))
  const others = [jdk, restic, sftp, rclone]
    .filter(({ tools }) => !tools.every(isOnPath))
    .map(({ package: name }) => name)
  return [...missing, ...others]
}

/** @param {string} tool */
export const isOnPath = (tool) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, tool)))

/** @param {string[]} args @param {string} whatFor */
async function apt(args, whatFor) {
  const { code, output } = await run('apt-get', args, {
    quiet: true,
    env: { ...environment(), DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (code !== 0)
    throw new Plain(`${output.trim()}\n\napt-get could not ${whatFor}. What stands above says why.`)
}

async function systemPackages() {
  if (!existsSync('/etc/debian_version')) return
  const missing = await missingPackages()
  if (missing.length === 0) return
  if (process.getuid?.() !== 0) {
    say(
      `Missing for the tests: ${missing.join(', ')}. Install them with: sudo apt-get install ${missing.join(' ')}`,
    )
    return
  }
  say(`Installing with apt-get, for the tests: ${missing.join(', ')}`)
  await apt(['update', '-qq'], 'read the lists of packages')
  await apt(['install', '-y', '-qq', '--no-install-recommends', ...missing], 'install them')
}

async function keychain() {
  if (existsSync(keytarBuilt)) return
  say(`Installing ${keytar}, which npm left out: without it the panel has no keychain`)
  const { code, output } = await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', keytar], {
    quiet: true,
    shell: process.platform === 'win32',
  })
  // The journeys fail by name where it is missing; the other tests are worth running all the same.
  if (code !== 0 || !existsSync(keytarBuilt)) say(`${output.trim()}\n\n${keytar} could not be installed.`)
}

async function browser() {
  if (hasChromium()) return
  say("Fetching Playwright's Chromium, where it is not here yet")
  const { code, output } = await run(
    node24(),
    [at('node_modules/@playwright/test/cli.js'), 'install', 'chromium'],
    { quiet: true },
  )
  if (code !== 0) throw new Plain(`${output.trim()}\n\nChromium for the tests could not be fetched.`)
}

/** Sees to it that the tests can run here; says what it installs before it does. */
export async function setUp() {
  await systemPackages()
  await keychain()
  await browser()
}
