export type Channel = 'release' | 'snapshot' | 'experimental'
export interface Checksum {
  algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512'
  value: string /* lower-case hex */
}
export interface RemoteFile {
  url: string
  name: string
  /** Redirect targets besides its own host; absent: any https host. */
  hosts?: readonly string[]
  size: number | null
  checksum: Checksum | null
}
/** `exact`: newer ones don't work (Forge). */
export interface WantedJava {
  major: number
  exact: boolean
}
export interface Version {
  id: string
  channel: Channel
  recommended?: boolean
  releasedAt?: string /* ISO */
}
export interface Build {
  id: string
  channel: Channel
  releasedAt?: string
  changes: string[]
  moreChanges?: number
}
export interface Release {
  version: string
  build: string | null
  java: WantedJava
  file: RemoteFile
  /** `jar`: the file is the server. `installer`: run once in the server's folder, it creates the server there. */
  form: 'jar' | 'installer'
  /** For jars without a checksum: this entry must contain these properties. */
  holds?: { entry: string; properties: Record<string, string> }
}
/** Rejects with Refusal 502/503. */
export interface Catalog {
  versions(signal: AbortSignal): Promise<Version[]>
  builds(version: string, signal: AbortSignal): Promise<Build[]>
  /** build null: the newest stable, else the newest. */
  release(version: string, build: string | null, signal: AbortSignal): Promise<Release>
}
