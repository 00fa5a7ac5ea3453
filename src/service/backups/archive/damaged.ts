/** What was read back isn't what was written. */
export class ArchiveDamage extends Error {
  override name = 'ArchiveDamage'
}
