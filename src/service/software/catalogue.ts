/** How trustworthy a version or a build is. */
export type Channel = 'release' | 'snapshot' | 'experimental'
/** A checksum as the catalogue gives it. */
export interface Checksum {
  algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512'
  value: string /* lower-case hex */
}
/** A file of somebody else's that is fetched. */
export interface RemoteFile {
  url: string
  name: string
  /** Hosts that it may be redirected to beside its own; absent: any over an encrypted connection. */
  hosts?: readonly string[]
  size: number | null
  checksum: Checksum | null
}
/** The Java a version wants. `exact`: a newer one does not do (Forge). */
export interface WantedJava {
  major: number
  exact: boolean
}
/** A version people choose. */
export interface Version {
  id: string
  channel: Channel
  recommended?: boolean
  releasedAt?: string /* ISO */
}
/** A build of a version, newest first in lists. */
export interface Build {
  id: string
  channel: Channel
  releasedAt?: string
  changes: string[]
  /** How many there are beside those. */
  moreChanges?: number
}
/** What installing a build takes. */
export interface Release {
  version: string
  build: string | null
  java: WantedJava
  file: RemoteFile
  /** `jar`: the file is the server. `installer`: it is run once in the server's folder and leaves the server there. */
  form: 'jar' | 'installer'
  /** jar: bytes of the checksum are checked; where there is none, the jar has to hold this entry with these properties. */
  holds?: { entry: string; properties: Record<string, string> }
}
/** A catalogue of one kind of server software. Rejects with Refusal 502/503 sentences where it cannot be asked. */
export interface Catalogue {
  versions(signal: AbortSignal): Promise<Version[]>
  builds(version: string, signal: AbortSignal): Promise<Build[]>
  /** build null: the newest that is stable, else the newest of all. */
  release(version: string, build: string | null, signal: AbortSignal): Promise<Release>
}
