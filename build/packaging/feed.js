// @ts-check
// Where a packed panel gets its updates from, and whether they can be trusted. Nobody is named in the project itself: a build
// of somebody else's copy must not ask at a place that is not theirs.

/**
 * A place of updates, as electron-builder writes it into app-update.yml.
 * @typedef {{ provider: 'generic', url: string, channel: string } | { provider: 'github', owner: string, repo: string, releaseType: 'draft' }} Feed
 */

/**
 * @param {NodeJS.ProcessEnv} env `WHEELHOUSE_UPDATE_FEED`, an https address of a folder; else `GITHUB_REPOSITORY`, as its
 * workflows are told it
 * @param {string} version of what is packed
 * @returns {Feed | null} null where none is named: then the panel says that it is not updated by itself
 */
export function feedOf({ WHEELHOUSE_UPDATE_FEED: address, GITHUB_REPOSITORY: repository }, version) {
  if (address) {
    const url = URL.canParse(address) ? new URL(address) : null
    if (url?.protocol !== 'https:' || url.username || url.password || url.search || url.hash)
      throw new Error(
        'WHEELHOUSE_UPDATE_FEED has to be a plain https address of a folder, such as https://example.com/wheelhouse/.',
      )
    return { provider: 'generic', url: url.href, channel: channelOf(version) }
  }
  if (!repository) return null
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? []
  if (!owner || !repo) throw new Error('GITHUB_REPOSITORY has to be owner/name.')
  // Nobody gets it before a person has looked at the draft and publishes it.
  return { provider: 'github', owner, repo, releaseType: 'draft' }
}

/** Who gets a version: `1.2.0-beta.1` is for those alone who chose such. @param {string} version */
function channelOf(version) {
  const [, early] = /^\d+\.\d+\.\d+(?:-([a-z]*))?/.exec(version) ?? []
  if (early === undefined) return 'latest'
  return early === 'alpha' ? 'alpha' : 'beta'
}

/** @param {Feed | null} feed @returns {string[]} arguments of electron-builder */
export const feedArguments = (feed) =>
  feed === null ? [] : Object.entries(feed).map(([name, value]) => `-c.publish.${name}=${value}`)

/**
 * What a signed build for Windows needs: without the name of who signs, every installer would be accepted as an update.
 * @param {NodeJS.ProcessEnv} env @returns {string[]} arguments of electron-builder
 */
export function signingArguments({ WIN_CSC_LINK: certificate, WHEELHOUSE_PUBLISHER: publisher, ...mac }) {
  const notarized = mac.CSC_LINK ? macArguments(mac) : []
  if (!certificate) return notarized
  if (!publisher)
    throw new Error(
      'WHEELHOUSE_PUBLISHER is missing: the name in the certificate that WIN_CSC_LINK holds. Without it, updates would not be checked for who signed them.',
    )
  return [...notarized, `-c.win.signtoolOptions.publisherName=${publisher}`, '-c.win.forceCodeSigning=true']
}

/**
 * What is built for: the machine it is built on, since keytar is compiled for that. On macOS both kinds of processor, for
 * each of which keytar is compiled.
 * @param {NodeJS.Platform} platform @param {string} arch as Node names it @returns {string[]} arguments of electron-builder
 */
export const machineArguments = (platform, arch) =>
  platform === 'darwin' ? ['--universal', '-c.npmRebuild=true'] : [`--${arch}`]

/**
 * What a signed build for macOS needs: signed alone, it would be refused by every other Mac.
 * @param {NodeJS.ProcessEnv} env
 */
function macArguments({ APPLE_API_KEY: key, APPLE_API_KEY_ID: id, APPLE_API_ISSUER: issuer }) {
  if (!key || !id || !issuer)
    throw new Error(
      'CSC_LINK is there, but APPLE_API_KEY, APPLE_API_KEY_ID or APPLE_API_ISSUER is missing: without them the program is not notarized, and other Macs refuse it.',
    )
  return ['-c.mac.notarize=true', '-c.mac.forceCodeSigning=true']
}
