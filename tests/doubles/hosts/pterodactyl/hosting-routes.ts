import { randomBytes } from 'node:crypto'
import { type Answer, type DoubleServer, error, type Handler } from './routes.ts'

export interface DoubleVariable {
  key: string
  name: string
  description: string
  value: string | null
  default: string
  rules: string
  editable: boolean
}

interface DoubleDatabase {
  /** A text at Pterodactyl, a number at Pelican. */
  id: string | number
  name: string
  password: string
}

interface DoublePort {
  id: number
  alias: string
  port: number
  notes: string | null
}

/** What a server has at its host beside files and console. */
export interface DoubleHosting {
  description: string
  image: string
  images: Record<string, string>
  variables: DoubleVariable[]
  databases: DoubleDatabase[]
  databasesMost: number | null
  ports: DoublePort[]
  portsMost: number
  primary: number
  reinstalls: number
  /** When databases were made, for the limit of two a minute. */
  made: number[]
}

const variable = (key: string, value: string, rules: string, more: Partial<DoubleVariable> = {}) => ({
  ...{ key, name: key, description: '', value, default: value, rules, editable: true, ...more },
})

const all = new WeakMap<DoubleServer, DoubleHosting>()

export function hostingOf(server: DoubleServer): DoubleHosting {
  const hosting = all.get(server) ?? {
    ...{ description: 'Since 2019', image: 'ghcr.io/x/java:21' },
    images: { 'Java 21': 'ghcr.io/x/java:21', 'Java 17': 'ghcr.io/x/java:17' },
    variables: [
      variable('MINECRAFT_VERSION', 'latest', 'nullable|string|max:20', {
        name: 'Minecraft Version',
        description: 'The version of Minecraft to download.',
      }),
      variable('SERVER_JARFILE', 'server.jar', 'required|regex:/^([\\w\\d._-]+)(\\.jar)$/', {
        name: 'Server Jar File',
      }),
      variable('AUTO_UPDATE', '0', 'required|boolean', { name: 'Auto Update' }),
      variable('VIEW', '10', 'required|integer|between:2,32', { name: 'Sight Range' }),
      variable('MODE', 'survival', 'required|string|in:survival,creative', { name: 'Play Mode' }),
      variable('BUILD_NUMBER', 'latest', 'required|string|max:20', { name: 'Build Number', editable: false }),
    ],
    ...{ databases: [], databasesMost: 2, made: [] },
    ...{
      ports: [{ id: 1, alias: 'play.example.com', port: 25_565, notes: null }],
      portsMost: 2,
      primary: 1,
      reinstalls: 0,
    },
  }
  all.set(server, hosting)
  return hosting
}

const forbidden = error(403, 'AuthorizationException', 'This action is unauthorized.')
const notFound = error(404, 'NotFoundHttpException', 'The requested resource could not be found.')

const guarded =
  (permission: string, handler: Handler): Handler =>
  (asked) =>
    isPermitted(asked.server, permission) ? handler(asked) : forbidden

const isPermitted = ({ permissions }: DoubleServer, permission: string): boolean =>
  permissions.includes('*') || permissions.includes(permission)

const invalid = (field: string, rule: string, detail: string): Answer => ({
  status: 422,
  body: {
    errors: [{ code: 'ValidationException', status: '422', detail, meta: { source_field: field, rule } }],
  },
})

const listOf = (object: string, items: object[], meta?: object): Answer => ({
  status: 200,
  body: { object: 'list', data: items.map((attributes) => ({ object, attributes })), ...(meta && { meta }) },
})

const variableObject = ({ key, value, ...rest }: DoubleVariable) => ({
  ...{ name: rest.name, description: rest.description, env_variable: key, default_value: rest.default },
  ...{ server_value: value, is_editable: rest.editable, rules: rest.rules },
})

const databaseObject = ({ id, name, password }: DoubleDatabase, shows: boolean) => ({
  ...{ id, host: { address: 'db.example.com', port: 3306 }, name, username: `u7_${name}` },
  ...{ connections_from: '%', max_connections: 0 },
  ...(shows && {
    relationships: { password: { object: 'database_password', attributes: { password } } },
  }),
})

export const allocationObject = ({ id, alias, port, notes }: DoublePort, primary: number) => ({
  ...{ id, ip: '10.0.0.5', ip_alias: alias, port, notes, is_default: id === primary },
})

const startup: Record<string, Handler> = {
  'GET /startup': guarded('startup.read', ({ server }) => {
    const { variables, images } = hostingOf(server)
    const meta = {
      startup_command: 'java -jar server.jar',
      docker_images: images,
      raw_startup_command: 'java',
    }
    return listOf('egg_variable', variables.map(variableObject), meta)
  }),
  'PUT /startup/variable': guarded('startup.update', ({ server, json }) => {
    const { key, value } = json() as { key: string; value: string }
    const found = hostingOf(server).variables.find((one) => one.key === key)
    if (!found?.editable)
      return error(
        400,
        'BadRequestHttpException',
        `The environment variable you are trying to edit ${found ? 'is read-only' : 'does not exist'}.`,
      )
    const wrong = found.rules.split('|').find((rule) => breaks(rule, value))
    if (wrong) return invalid('value', wrong.split(':')[0]!, `The value breaks the rule ${wrong}.`)
    found.value = value
    return { status: 200, body: { object: 'egg_variable', attributes: variableObject(found) } }
  }),
  'PUT /settings/docker-image': guarded('startup.docker-image', ({ server, json }) => {
    const hosting = hostingOf(server)
    const image = String(json()['docker_image'])
    const images = Object.values(hosting.images)
    if (!images.includes(image)) return invalid('docker_image', 'in', 'The selected docker image is invalid.')
    if (!images.includes(hosting.image))
      return error(
        400,
        'BadRequestHttpException',
        "This server's Docker image has been manually set by an administrator and cannot be updated.",
      )
    hosting.image = image
    return { status: 204 }
  }),
  'POST /settings/reinstall': guarded('settings.reinstall', ({ server }) => {
    hostingOf(server).reinstalls++
    server.status = 'installing'
    return { status: 202, body: [] }
  }),
  'POST /settings/rename': guarded('settings.rename', ({ server, json }) => {
    const { name, description } = json() as { name?: string; description?: string }
    if (!name) return invalid('name', 'required', 'The name field is required.')
    server.name = name
    hostingOf(server).description = description ?? ''
    return { status: 204 }
  }),
}

function breaks(rule: string, value: string): boolean {
  const [name, argument = ''] = [rule.split(':')[0], rule.slice(rule.indexOf(':') + 1)]
  switch (name) {
    case 'required':
      return value === ''
    case 'max':
      return value.length > Number(argument)
    case 'in':
      return !argument.split(',').includes(value)
    case 'integer':
      return !/^-?\d+$/.test(value)
    case 'boolean':
      return !['0', '1', 'true', 'false'].includes(value)
    case 'between': {
      const [least = 0, most = 0] = argument.split(',').map(Number)
      return Number(value) < least || Number(value) > most
    }
    case 'regex':
      return !new RegExp(argument.slice(1, -1)).test(value)
    default:
      return false
  }
}

const DATABASES_A_MINUTE = 2

const databases: Record<string, Handler> = {
  'GET /databases': guarded('database.read', ({ server, url }) => {
    const asked = url.searchParams.get('include') === 'password'
    const shows = asked && isPermitted(server, 'database.view_password')
    return listOf(
      'server_database',
      hostingOf(server).databases.map((one) => databaseObject(one, shows)),
    )
  }),
  'POST /databases': guarded('database.create', ({ server, json }) => {
    const hosting = hostingOf(server)
    const { database, remote } = json() as { database?: string; remote?: string }
    if (!/^[\w-]{3,48}$/.test(database ?? ''))
      return invalid('database', 'alpha_dash', 'The database may only contain letters, numbers, and dashes.')
    if (remote !== '%') return invalid('remote', 'required', 'The remote field is required.')
    const now = Date.now()
    hosting.made = [...hosting.made.filter((time) => now - time < 60_000), now]
    if (hosting.made.length > DATABASES_A_MINUTE)
      return {
        ...error(429, 'ThrottleRequestsException', 'Too Many Attempts.'),
        headers: { 'retry-after': '47' },
      }
    if (hosting.databasesMost !== null && hosting.databases.length >= hosting.databasesMost)
      return error(
        400,
        'TooManyDatabasesException',
        'Operation aborted: creating a new database would put this server over the defined limit.',
      )
    const made = {
      id: `x${randomBytes(4).toString('hex')}`,
      name: `s7_${database}`,
      password: randomBytes(9).toString('base64url'),
    }
    hosting.databases.push(made)
    return { status: 200, body: { object: 'server_database', attributes: databaseObject(made, true) } }
  }),
}

const ports: Record<string, Handler> = {
  'GET /network/allocations': guarded('allocation.read', ({ server }) => {
    const hosting = hostingOf(server)
    return listOf(
      'allocation',
      hosting.ports.map((port) => allocationObject(port, hosting.primary)),
    )
  }),
  'POST /network/allocations': guarded('allocation.create', ({ server }) => {
    const hosting = hostingOf(server)
    if (hosting.ports.length >= hosting.portsMost)
      return error(
        400,
        'DisplayException',
        'Cannot assign additional allocations to this server: limit has been reached.',
      )
    const last = hosting.ports.at(-1)!
    const made = { ...last, id: last.id + 1, port: last.port + 1, notes: null }
    hosting.ports.push(made)
    return {
      status: 200,
      body: { object: 'allocation', attributes: allocationObject(made, hosting.primary) },
    }
  }),
}

/** What is done with one database or port. */
export function hostingHandler(route: string): Handler | undefined {
  const fixed = startup[route] ?? databases[route] ?? ports[route]
  if (fixed) return fixed
  const database = /^(\w+) \/databases\/([^/]+)(\/[\w-]+)?$/.exec(route)
  if (database) return ofDatabase(`${database[1]} ${database[3] ?? ''}`, database[2]!)
  const port = /^(\w+) \/network\/allocations\/(\d+)(\/\w+)?$/.exec(route)
  return port ? ofPort(`${port[1]} ${port[3] ?? ''}`, Number(port[2])) : undefined
}

function ofDatabase(act: string, id: string): Handler | undefined {
  const of = (permission: string, work: (hosting: DoubleHosting, database: DoubleDatabase) => Answer) =>
    guarded(permission, ({ server }) => {
      const hosting = hostingOf(server)
      const found = hosting.databases.find((one) => String(one.id) === id)
      return found ? work(hosting, found) : notFound
    })
  switch (act) {
    case 'POST /rotate-password':
      return of('database.update', (_hosting, found) => {
        found.password = randomBytes(9).toString('base64url')
        return { status: 200, body: { object: 'server_database', attributes: databaseObject(found, true) } }
      })
    case 'DELETE ':
      return of('database.delete', (hosting, found) => {
        hosting.databases = hosting.databases.filter((one) => one !== found)
        return { status: 204 }
      })
    default:
      return undefined
  }
}

function ofPort(act: string, id: number): Handler | undefined {
  const of = (
    permission: string,
    work: (hosting: DoubleHosting, port: DoublePort, notes: unknown) => Answer,
  ) =>
    guarded(permission, ({ server, body, json }) => {
      const hosting = hostingOf(server)
      const found = hosting.ports.find((one) => one.id === id)
      return found ? work(hosting, found, body.length > 0 ? json()['notes'] : null) : notFound
    })
  const shown = (hosting: DoubleHosting, port: DoublePort): Answer => ({
    ...{ status: 200, body: { object: 'allocation', attributes: allocationObject(port, hosting.primary) } },
  })
  switch (act) {
    case 'POST ':
      return of('allocation.update', (hosting, port, notes) => {
        port.notes = notes === '' ? null : (notes as string)
        return shown(hosting, port)
      })
    case 'POST /primary':
      return of('allocation.update', (hosting, port) => {
        hosting.primary = port.id
        return shown(hosting, port)
      })
    case 'DELETE ':
      return of('allocation.delete', (hosting, port) => {
        if (port.id === hosting.primary)
          return error(400, 'DisplayException', 'You cannot delete the primary allocation for this server.')
        hosting.ports = hosting.ports.filter((one) => one !== port)
        return { status: 204 }
      })
    default:
      return undefined
  }
}
