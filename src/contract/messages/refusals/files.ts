export const fileRefusals = {
  'refused.files.not-found': '“{path}” was not found. It may have been moved or deleted.',
  'refused.files.not-found.trash': 'This is no longer in the trash. Reload the trash.',
  'refused.files.exists': '“{path}” already exists. Choose another name, or replace it.',
  'refused.files.not-folder': '“{path}” is not a folder.',
  'refused.files.is-folder': '“{path}” is a folder, but a file is needed here.',
  'refused.files.not-file': '“{path}” is neither a file nor a folder, so it cannot be read.',
  'refused.files.not-file.batch': 'A batch can contain files and folders only, no links or devices.',
  'refused.files.into-itself': '“{path}” cannot be moved or copied into itself. Choose another folder.',
  'refused.files.changed': 'The file was changed in the meantime. Reload it, then make your change.',
  'refused.files.changed.copied': '“{path}” was replaced while it was copied. Copy it again.',
  'refused.files.outside':
    "“{path}” leads outside the server's folder, which is not allowed. Choose a path within it.",
  'refused.files.name-invalid': '“{name}” cannot be used as a name: {why:part}. Choose another.',
  'refused.files.too-deep':
    '“{path}” is nested too deeply: a path can have up to {most} names. Choose a folder further up.',
  'refused.files.too-deep.inside':
    '“{path}” contains folders that would be nested too deeply there: a path can have up to {most} names. Choose a folder further up.',
  'refused.files.cancelled': 'It was canceled.',
  'refused.files.denied':
    '“{path}” cannot be used: the system denies the service access. Another program may be using it.',
  'refused.files.denied.other-disk':
    "“{path}” is on another disk than the service's data folder, so nothing can be moved there in one step.",
  'refused.files.quota':
    "This does not fit: the server's quota is {quota:bytes}, including its trash and unfinished uploads. Delete something, or empty the trash.",
  'refused.files.disk-full': "The service's disk is full. Free up space on it, then try again.",
  'refused.files.disk-full.unpacked':
    'The contents of this archive do not fit: {free:bytes} are free. Free up space, then try again.',
  'refused.files.too-large':
    'A file here can have up to {most:bytes}. Send a smaller one, or ask whoever runs the service.',
  'refused.files.too-large.announced': 'More bytes arrived than were announced at the start of this upload.',
  'refused.files.range': 'The file has {size} bytes, so it has no such part. Read it from the beginning.',
  'refused.files.stalled':
    'Nothing more of it arrived for {seconds} seconds, so it was abandoned. Send it again.',
  'refused.files.cut-off': 'The connection ended before all of it was sent. Send it again.',
  'refused.files.cut-off.form': 'The form ended too early, or is not a form. Nothing was written.',
  'refused.files.busy': 'This file is being sent over another connection right now. Try again shortly.',
  'refused.files.checksum':
    'What arrived is not what was sent: the checksums differ. Nothing was written. Send the file again.',
  'refused.files.checksum.batch': 'What arrived is not what was sent: its SHA-256 differs. Send it again.',
  'refused.files.checksum-missing':
    'All bytes have arrived, but no checksum: send the last byte again with the header Upload-Checksum (sha256 of the whole file).',
  'refused.files.upload-not-found': 'This upload was not found, or was idle for too long. Start again.',
  'refused.files.upload-not-found.unknown': 'This upload was not found. Start again.',
  'refused.files.upload-offset': 'The upload is at another offset. Ask for it with HEAD, and continue there.',
  'refused.files.upload-invalid': 'This does not follow the tus protocol, version 1.0.0: {why}.',
  'refused.files.too-many-uploads':
    '{most} uploads to this server are unfinished. Finish or cancel one of them first.',
  'refused.files.batch-too-large':
    'A batch can contain up to {files} files and {bytes:bytes}. Send the rest in another one.',
  'refused.files.batch-invalid': 'The batch is not a readable tar stream. Send it again.',
  'refused.files.archive-unknown':
    'This archive cannot be extracted here. Supported formats are zip, tar and tar.gz.',
  'refused.files.archive-unknown.method':
    '“{name}” is compressed in a way that is not supported here. Compress it again as a standard zip.',
  'refused.files.archive-encrypted':
    'This archive is protected by a password. Extract it on your computer, and upload its contents.',
  'refused.files.archive-broken':
    'This archive cannot be read: it is damaged or incomplete. Nothing was extracted. Upload it again.',
  'refused.files.archive-bomb':
    'This archive was not extracted: it grows to more than {ratio} times its size, which normal archives do not.',
  'refused.files.archive-bomb.beside':
    'This archive was not extracted: what it contains beside its files is larger than in normal archives. Compress it again, then try once more.',
  'refused.files.archive-too-many':
    'This archive contains more than {files} files, more than {inFolder} in one folder, or very long names. Nothing was extracted. Split it into several archives.',
  'refused.files.jobs-full':
    '{most} of your archives are already being compressed or extracted. Wait for one to finish.',
  'refused.files.job-not-found': 'This job was not found. It may have ended long ago.',
  'refused.files.job-ending': 'This is almost done and can no longer be canceled.',
  'refused.files.search-too-long':
    'This search was stopped after {seconds} seconds. Search in a subfolder, or by name only.',
  'refused.files.search-ended': 'The service stopped this search. Try again, or search for less.',

  'refused.part.control-character': 'it contains a control character',
  'refused.part.backslash': 'it contains a backslash',
  'refused.part.ending': 'it ends in a dot or a space',
  'refused.part.device': 'Windows reserves it for a device',
  'refused.part.windows-character': 'it contains a character that Windows does not allow',
  'refused.part.no-unicode': 'it is not valid Unicode',
  'refused.part.long-name': 'it is longer than {most} bytes',
  'refused.part.empty-name': 'a part of the path is empty',
  'refused.part.blank-name': 'a part of the path is blank',
  'refused.part.too-long': 'it is too long',
} as const
