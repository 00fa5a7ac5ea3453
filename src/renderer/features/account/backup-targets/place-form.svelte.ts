import type { CallInput } from '../../../core/bridge.ts'
import { needed } from '../../../core/checks.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'

type Addition = CallInput<'backups.add-target'>
type Place = Addition['place']
export type PlaceKind = Place['kind']

type FieldOf<K extends PlaceKind> = Exclude<keyof Extract<Place, { kind: K }>, 'kind'>
export type PlaceField = { [K in PlaceKind]: FieldOf<K> }[PlaceKind]

/** The fields of each kind, in the order of the form. */
export const FIELDS = {
  folder: ['path'],
  sftp: ['host', 'port', 'user', 'path'],
  s3: ['endpoint', 'bucket', 'prefix', 'region', 'keyId'],
  b2: ['bucket', 'prefix', 'keyId'],
  azure: ['account', 'container', 'prefix'],
  gcs: ['bucket', 'prefix'],
  rest: ['url', 'user'],
  rclone: ['remote'],
} as const satisfies { [K in PlaceKind]: readonly FieldOf<K>[] }
export const KINDS = Object.keys(FIELDS) as PlaceKind[]

const OPTIONAL: readonly `${PlaceKind}-${PlaceField}`[] = [
  ...(['sftp-path', 's3-prefix', 's3-region', 'b2-prefix'] as const),
  ...(['azure-prefix', 'gcs-prefix', 'rest-user'] as const),
]

/** How SFTP is signed in to; `made`: a key is made for it. */
export type SftpAccess = 'made' | 'password' | 'key'
export type SecretKind = 'password' | 'key' | 's3' | 'b2' | 'azure' | 'gcs' | 'rclone'

/** What has to be given so that a place can be reached; null: nothing. */
export function secretOf(kind: PlaceKind, access: SftpAccess): SecretKind | null {
  if (kind === 'folder') return null
  if (kind === 'sftp') return access === 'made' ? null : access
  return kind === 'rest' ? 'password' : kind
}

/** Main and the service name fields of the place differently. */
export type AdditionField = PlaceField | `place.${PlaceField}` | 'name' | 'secret' | 'password'

const portCheck = (typed: string): Words | null =>
  /^\s*\d{1,5}\s*$/.test(typed) && Number(typed) >= 1 && Number(typed) <= 65_535
    ? null
    : () => t('targets.port')

/** What is typed to add a place. Each kind keeps its own secret, so that none goes to another place. */
export class PlaceForm {
  kind = $state<PlaceKind>('folder')
  name = $state('')
  access = $state<SftpAccess>('made')
  /** Of the backups that are there already. */
  password = $state('')
  readonly typed = $state<Record<PlaceField, string>>({
    ...{ path: '', host: '', port: '22', user: '', endpoint: '', bucket: '', container: '' },
    ...{ prefix: '', region: '', keyId: '', account: '', url: '', remote: '' },
  })
  readonly secrets = $state<Record<SecretKind, string>>({
    ...{ password: '', key: '', s3: '', b2: '', azure: '', gcs: '', rclone: '' },
  })
  readonly fields: readonly PlaceField[] = $derived(FIELDS[this.kind])
  readonly secret = $derived(secretOf(this.kind, this.access))

  checks(): Record<AdditionField, Words | null> {
    const wrong = this.fields.flatMap((field): [AdditionField, Words | null][] => [
      [field, this.#check(field)],
      [`place.${field}`, null],
    ])
    const isOpen = this.kind === 'rest' && this.typed.user.trim() === ''
    return {
      name: needed(this.name),
      ...(Object.fromEntries(wrong) as Record<
        Exclude<AdditionField, 'name' | 'secret' | 'password'>,
        Words | null
      >),
      secret: this.secret === null || isOpen ? null : needed(this.secrets[this.secret]),
      password: null,
    }
  }

  addition(): Omit<Addition, 'connectionId'> {
    const given = this.fields.flatMap((field): [PlaceField, string | number][] => {
      const text = this.typed[field].trim()
      return text === '' ? [] : [[field, field === 'port' ? Number(text) : text]]
    })
    const secret = this.secret === null ? '' : this.secrets[this.secret]
    return {
      name: this.name.trim(),
      place: { kind: this.kind, ...Object.fromEntries(given) } as Place,
      ...(secret !== '' && { secret }),
      ...(this.password.trim() !== '' && { password: this.password.trim() }),
    }
  }

  #check(field: PlaceField): Words | null {
    if (field === 'port') return portCheck(this.typed.port)
    return OPTIONAL.includes(`${this.kind}-${field}`) ? null : needed(this.typed[field])
  }
}
