// What is read of the client API's answers (fractal: `{object, attributes}`). Whatever isn't needed may be missing.
import { z } from 'zod'

/** Characters. */
const TEXT_MOST = 2000

const text = z.string().max(TEXT_MOST).nullish().catch(null)
const number = z.number().nullish()
const flag = z.boolean().nullish()
/** Pelican counts where Pterodactyl has texts. */
const NumberOrText = z.union([z.string(), z.number()]).transform(String)

/** ISO 8601 in UTC; null for what is no time. */
export function timeOf(given: string | null | undefined): string | null {
  const at = Date.parse(given ?? '')
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** Becomes a part of paths. */
const Id = z.string().regex(/^[\w-]{1,100}$/)

export const Envelope = z.object({ attributes: z.unknown(), meta: z.unknown().optional() })

export const ListEnvelope = z.object({
  data: z.array(z.unknown()),
  meta: z.unknown().optional(),
})
export const PageMeta = z.object({ pagination: z.object({ total_pages: number }).nullish() })

export const ErrorList = z.object({
  errors: z.array(
    z.object({
      code: text,
      detail: z.string().nullish(),
      meta: z.object({ source_field: text }).nullish().catch(null),
    }),
  ),
})

export const Account = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  uuid: text,
  username: text,
  email: text,
})

export const Subuser = z.object({
  uuid: Id,
  username: text,
  email: text,
  created_at: text,
  permissions: z.array(z.string()).max(500),
})
export type Subuser = z.output<typeof Subuser>

export const Allocation = z.object({
  id: NumberOrText.nullish(),
  ip: text,
  ip_alias: text,
  port: number,
  notes: text,
  is_default: flag,
})

const relation = <S extends z.ZodType>(attributes: S) =>
  z
    .object({ data: z.array(z.object({ attributes: attributes.nullable().catch(null) })) })
    .nullish()
    .catch(null)

export const PanelServer = z.object({
  server_owner: flag,
  uuid: Id,
  identifier: text,
  name: z.string().max(TEXT_MOST),
  description: text,
  docker_image: text,
  node: text,
  sftp_details: z.object({ ip: text, alias: text, port: number }).nullish().catch(null),
  limits: z.object({ memory: number, disk: number, cpu: number }).nullish().catch(null),
  feature_limits: z.object({ backups: number, databases: number, allocations: number }).nullish().catch(null),
  status: text,
  is_suspended: flag,
  is_installing: flag,
  is_transferring: flag,
  is_node_under_maintenance: flag,
  relationships: z
    .object({ allocations: relation(Allocation) })
    .nullish()
    .catch(null),
})
export type PanelServer = z.output<typeof PanelServer>

/** Beside one server, not in the list. */
export const ServerMeta = z.object({
  meta: z.object({ is_server_owner: flag, user_permissions: z.array(z.string()).nullish() }).nullish(),
})

export const Resources = z.object({
  current_state: z.string().min(1),
  is_suspended: flag,
  resources: z
    .object({
      memory_bytes: number,
      cpu_absolute: number,
      disk_bytes: number,
      network_rx_bytes: number,
      network_tx_bytes: number,
      /** Ms. */
      uptime: number,
    })
    .nullish()
    .catch(null),
})
export type Resources = z.output<typeof Resources>

/** Characters: Wings reads no longer frames. */
const TOKEN_MOST = 4000

export const SocketToken = z.object({
  data: z.object({ token: z.string().max(TOKEN_MOST), socket: z.string().max(TEXT_MOST) }),
})

export const FileObject = z.object({
  name: z.string().min(1),
  mode_bits: z.union([z.string(), z.number()]).nullish(),
  size: number,
  is_file: flag,
  is_symlink: flag,
  modified_at: text,
})
export type FileObject = z.output<typeof FileObject>

export const PanelBackup = z.object({
  uuid: Id,
  name: text,
  is_successful: flag,
  is_locked: flag,
  is_scheduled: flag,
  checksum: text,
  bytes: number,
  created_at: text,
  completed_at: text,
})

export const PanelDatabase = z.object({
  id: NumberOrText.pipe(Id),
  name: z.string(),
  username: text,
  host: z.object({ address: text, port: number }).nullish().catch(null),
  connections_from: text,
  relationships: z
    .object({ password: z.object({ attributes: z.object({ password: text }).nullish() }).nullish() })
    .nullish()
    .catch(null),
})

export const EggVariable = z.object({
  env_variable: z.string().regex(/^\w{1,200}$/),
  name: text,
  description: text,
  default_value: NumberOrText.nullish(),
  server_value: NumberOrText.nullish(),
  is_editable: flag,
  rules: z.union([z.string(), z.array(z.string()).transform((rules) => rules.join('|'))]).nullish(),
})

export const StartupMeta = z.object({
  startup_command: text,
  /** By their names; PHP sends an empty map as a list. */
  docker_images: z
    .union([z.record(z.string(), z.string()), z.array(z.string())])
    .nullish()
    .catch(null),
})

export const SshKey = z.object({ fingerprint: text })

export const SignedAddress = z.object({ url: z.string().max(10_000) })

export const PanelTask = z.object({
  id: z.number().int(),
  sequence_id: number,
  action: z.string().max(100),
  payload: text,
  /** Seconds after the task before it. */
  time_offset: number,
  continue_on_failure: flag,
})
export type PanelTask = z.output<typeof PanelTask>

const CronPart = z.union([z.string().max(100), z.number().transform(String)])

export const PanelSchedule = z.object({
  id: z.number().int(),
  name: z.string(),
  cron: z.object({
    minute: CronPart,
    hour: CronPart,
    day_of_month: CronPart,
    month: CronPart.default('*'),
    day_of_week: CronPart,
  }),
  is_active: flag,
  is_processing: flag,
  only_when_online: flag,
  last_run_at: text,
  next_run_at: text,
  relationships: z
    .object({ tasks: relation(PanelTask) })
    .nullish()
    .catch(null),
})
export type PanelSchedule = z.output<typeof PanelSchedule>

export const LogEntry = z.object({
  id: text,
  batch: text,
  event: z.string(),
  ip: text,
  timestamp: text,
  /** An empty one is a list: PHP doesn't tell them apart. */
  properties: z.record(z.string(), z.unknown()).catch({}),
  relationships: z
    .object({
      actor: z.object({ attributes: z.object({ username: text, email: text }).nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
})
export type LogEntry = z.output<typeof LogEntry>
