/** Part of the error catalogue: what can go wrong with sources, and why one could not be read. */
export const sourceErrors = {
  'source.not-found': { status: 404, message: 'This source is not there any more.' },
  'source.too-large': { status: 413, message: 'This file is too large. Files may have up to 50 MB.' },
  'source.empty': { status: 400, message: 'This file is empty.' },
  'source.type': { status: 415, message: 'Parley cannot read this kind of file. Save it as PDF, and add that.' },
  'source.damaged': {
    status: 422,
    message: 'This file is damaged. Open it in the program that made it, save it again, and add that.',
  },
  'source.protected': {
    status: 422,
    message: 'This file is protected by a password. Save it without one, and add that.',
  },
  'source.no-text': { status: 422, message: 'No text was found in it.' },
  'source.bomb': { status: 422, message: 'This file unpacks to far more than a document holds. It was not read.' },
  'source.took-too-long': {
    status: 422,
    message: 'Reading it took too long. Split it into smaller files, and add those.',
  },
  'source.unreadable': { status: 422, message: 'It could not be read. Try again, or save it as PDF, and add that.' },
  'source.cancelled': { status: 409, message: 'Reading it was cancelled.' },
  'source.too-many': { status: 409, message: 'This channel has 50 sources already. Remove one first.' },
  'source.quota': { status: 409, message: 'Your storage for files is full. Remove sources that you no longer need.' },
  'source.busy': { status: 409, message: 'This source is still being read.' },
  'source.upload-offset': { status: 409, message: 'The upload goes on from another place. Please try again.' },
  'source.upload-damaged': { status: 422, message: 'The file arrived damaged. Please add it again.' },
  'source.store': { status: 503, message: 'The file could not be stored right now. Please try again in a moment.' },
  'source.url-invalid': { status: 400, message: 'Invalid URL' },
  'source.url-refused': { status: 400, message: 'This address cannot be read from here. Only public websites can.' },
  'source.url-unreachable': {
    status: 502,
    message: 'This website did not answer. Check the address, or try again later.',
  },
  'source.url-status': { status: 502, message: 'This website refused to show the page.' },
  'source.url-too-large': { status: 413, message: 'This page is larger than 10 MB.' },
  'source.url-type': { status: 415, message: 'This address holds no page, text or document that can be read.' },
  'source.video-captions': {
    status: 422,
    message: 'This video has no captions that can be read. Add its transcript as text instead.',
  },
  'source.video-unavailable': { status: 422, message: 'This video cannot be read: it is private, restricted or gone.' },
  'source.sent-invalid': {
    status: 400,
    message: 'The sources of this question could not be read. Please send it again.',
  },
  'source.vectors-off': { status: 404, message: 'This server has no model that compares texts by their meaning.' },
  'source.vectors-away': {
    status: 503,
    message: 'The model that compares texts by their meaning does not answer. Until it does, words alone are searched.',
  },
  'source.search-sign-in': {
    status: 403,
    message: 'Please sign in to search the web, or switch web search off and send the question again.',
  },
} as const
