/** Part of the error catalogue: what can go wrong with exports and imports. */
export const transferErrors = {
  'transfer.invalid': { status: 400, message: 'Invalid import data format' },
  'transfer.file-type': { status: 400, message: 'Only JSON and ZIP files are supported' },
  'transfer.invalid-data': { status: 400, message: 'Invalid import data' },
  'transfer.no-json': { status: 400, message: 'No JSON file found in ZIP archive' },
  'transfer.no-user': { status: 401, message: 'No user ID available for channel import' },
  'transfer.nothing-selected': { status: 400, message: 'Please select at least one data type.' },
  'transfer.passphrase-needed': { status: 401, message: 'This file is protected with a passphrase.' },
  'transfer.wrong-passphrase': {
    status: 401,
    message: 'This passphrase does not open the file. Please check it and try again.',
  },
  'transfer.incomplete': { status: 400, message: 'This file is incomplete. Please export or download it again.' },
  'transfer.damaged': { status: 400, message: 'This file was changed or damaged and cannot be imported.' },
  'transfer.export-too-large': {
    status: 413,
    message: 'The export would be larger than 4 GB. Export this device and the cloud one by one, or without documents.',
  },
  'transfer.too-large': { status: 413, message: 'This file is too large to import.' },
  'transfer.newer-version': {
    status: 400,
    message: 'This file was written by a newer version. Update Parley to import it.',
  },
} as const
