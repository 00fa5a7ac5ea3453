import path from 'node:path'
import type { TargetPlace } from '../../../contract/areas/backup-targets.ts'
import type { RemotePlace } from '../restic/restic-program.ts'

/** Files of a target, in its folder. */
export const targetFiles = (folder: string) => ({
  password: path.join(folder, 'password'),
  secret: path.join(folder, 'secret'),
  sshConfig: path.join(folder, 'ssh-config'),
  sshKey: path.join(folder, 'ssh-key'),
  sshLog: path.join(folder, 'ssh-log'),
  knownHosts: path.join(folder, 'known-hosts'),
  askPass: path.join(folder, process.platform === 'win32' ? 'ask-pass.cmd' : 'ask-pass'),
})

type Files = ReturnType<typeof targetFiles>

/** How restic gets there. `remote` is absent for a folder of this computer. */
export interface TargetAccess {
  repository: string
  remote?: RemotePlace
}

/** Our own folder within what people chose: nothing of theirs is touched. */
const FOLDER = 'wheelhouse-backups'

const within = (prefix: string): string =>
  [prefix.replaceAll(/^\/+|\/+$/g, ''), FOLDER].filter(Boolean).join('/')

const HOST_IN_SSH = 'target'

type Places = { [K in TargetPlace['kind']]: Extract<TargetPlace, { kind: K }> }
type Ways = { [K in keyof Places]: (place: Places[K], secret: string, files: Files) => TargetAccess }

const environment = (repository: string, keys: Record<string, string>): TargetAccess => ({
  repository,
  remote: { environment: keys, options: [], secrets: Object.values(keys) },
})

const ways: Ways = {
  folder: ({ path: folder }) => ({ repository: path.join(folder, FOLDER) }),
  sftp: ({ path: folder }, secret, files) => ({
    repository: `sftp:${HOST_IN_SSH}:${folder.replace(/\/+$/, '')}${folder === '' ? '' : '/'}${FOLDER}`,
    remote: {
      environment: { SSH_ASKPASS: files.askPass, SSH_ASKPASS_REQUIRE: 'force' },
      // As CSV: that is how restic reads options.
      options: [
        '-o',
        `"sftp.command=ssh -E ""${files.sshLog}"" -F ""${files.sshConfig}"" ${HOST_IN_SSH} -s sftp"`,
      ],
      secrets: [secret],
      log: files.sshLog,
    },
  }),
  s3: ({ endpoint, bucket, prefix, region, keyId }, secret) =>
    environment(`s3:${endpoint.replace(/\/+$/, '')}/${bucket}/${within(prefix)}`, {
      AWS_ACCESS_KEY_ID: keyId,
      AWS_SECRET_ACCESS_KEY: secret,
      ...(region !== '' && { AWS_DEFAULT_REGION: region }),
    }),
  b2: ({ bucket, prefix, keyId }, secret) =>
    environment(`b2:${bucket}:${within(prefix)}`, { B2_ACCOUNT_ID: keyId, B2_ACCOUNT_KEY: secret }),
  azure: ({ container, prefix, account }, secret) =>
    environment(`azure:${container}:/${within(prefix)}`, {
      AZURE_ACCOUNT_NAME: account,
      AZURE_ACCOUNT_KEY: secret,
    }),
  gcs: ({ bucket, prefix }, secret, files) => ({
    repository: `gs:${bucket}:/${within(prefix)}`,
    remote: {
      environment: { GOOGLE_APPLICATION_CREDENTIALS: files.secret, GOOGLE_PROJECT_ID: projectIn(secret) },
      options: [],
      secrets: [],
    },
  }),
  rest({ url, user }, secret) {
    const at = new URL(`${url.replace(/\/+$/, '')}/${FOLDER}/`)
    if (user !== undefined)
      [at.username, at.password] = [encodeURIComponent(user), encodeURIComponent(secret)]
    const secrets = [secret, encodeURIComponent(secret)]
    return { repository: `rest:${at.href}`, remote: { environment: {}, options: [], secrets } }
  },
  rclone: ({ remote }, _secret, files) => ({
    repository: `rclone:${remote.replace(/\/+$/, '')}${remote.endsWith(':') ? '' : '/'}${FOLDER}`,
    remote: { environment: { RCLONE_CONFIG: files.secret }, options: [], secrets: [] },
  }),
}

export function accessTo(place: TargetPlace, secret: string | null, folder: string): TargetAccess {
  const way = ways[place.kind] as (place: TargetPlace, secret: string, files: Files) => TargetAccess
  return way(place, secret ?? '', targetFiles(folder))
}

/** restic wants to be told. */
function projectIn(credentials: string): string {
  try {
    const { project_id: project } = JSON.parse(credentials) as { project_id?: unknown }
    return typeof project === 'string' ? project : ''
  } catch {
    return ''
  }
}

/** ssh reads `%` and quotes in paths. */
const quoted = (file: string): string => `"${file.replaceAll('%', '%%')}"`

/** Nothing of the user's own configuration counts. The host's key is trusted at first use and from then on. */
export function sshConfig(
  { host, port, user }: Places['sftp'],
  hasPassword: boolean,
  { sshKey, knownHosts }: Files,
): string {
  const auth = hasPassword
    ? [
        'PubkeyAuthentication no',
        'PreferredAuthentications password,keyboard-interactive',
        'NumberOfPasswordPrompts 1',
      ]
    : [`IdentityFile ${quoted(sshKey)}`, 'IdentitiesOnly yes', 'PreferredAuthentications publickey']
  return [
    `Host ${HOST_IN_SSH}`,
    ...[`HostName ${host}`, `Port ${port}`, `User ${user}`, ...auth],
    ...[
      `UserKnownHostsFile ${quoted(knownHosts)}`,
      'GlobalKnownHostsFile none',
      'StrictHostKeyChecking accept-new',
    ],
    ...['HashKnownHosts no', 'UpdateHostKeys no', 'CheckHostIP no', 'ForwardAgent no', 'ForwardX11 no'],
    ...['ConnectTimeout 20', 'ServerAliveInterval 15', 'ServerAliveCountMax 4', ''],
  ].join('\n')
}

/** One line for people. */
export function locationOf(place: TargetPlace): string {
  switch (place.kind) {
    case 'folder':
      return place.path
    case 'sftp':
      return `${place.user}@${place.host}${place.port === 22 ? '' : `:${place.port}`}${place.path && ` ${place.path}`}`
    case 's3':
      return [new URL(place.endpoint).host, place.bucket, place.prefix].filter(Boolean).join('/')
    case 'azure':
      return [place.account, place.container, place.prefix].filter(Boolean).join('/')
    case 'b2':
    case 'gcs':
      return [place.bucket, place.prefix].filter(Boolean).join('/')
    case 'rest':
      return withoutUser(place.url)
    case 'rclone':
      return place.remote
  }
}

function withoutUser(url: string): string {
  const { host, pathname } = new URL(url)
  return host + (pathname === '/' ? '' : pathname)
}
