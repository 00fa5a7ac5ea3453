import ssh2 from 'ssh2'

/** An Ed25519 key pair in OpenSSH's format. Of those that ssh2 makes, it can't read one in about 200 itself. */
export function newSshKey(comment: string): { private: string; public: string } {
  for (;;) {
    const made = ssh2.utils.generateKeyPairSync('ed25519', { comment })
    if (!(ssh2.utils.parseKey(made.private) instanceof Error)) return made
  }
}
