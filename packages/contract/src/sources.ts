import * as z from 'zod/mini'
import { BroughtSource } from './brought-sources'
import { Channel } from './channels'
import { limits } from './limits/shared'
import { ReadDocument } from './read-document'
import { route } from './route'
import { SourceProgress } from './source-progress'

export { SourceProgress }

// A source is a document, website or video that the answers of a channel may be drawn from. On the wire document 3
// calls it a job, because adding one starts the work of reading it.

export const SourceType = z.enum(['document', 'website', 'video'])
export type SourceType = z.infer<typeof SourceType>

export const SourceStatus = z.enum(['queued', 'processing', 'processed', 'failed'])
export type SourceStatus = z.infer<typeof SourceStatus>

const Id = z.string().check(z.minLength(1), z.maxLength(200))
const Count = z.int().check(z.nonnegative())

/** A source of either home, as the app knows it. */
export const Source = z.object({
  id: Id,
  channelId: Id,
  type: SourceType,
  /** The file's name, or the title of the website or video. */
  name: z.string(),
  /** Of a website or video. */
  url: z.optional(z.string()),
  mediaType: z.string(),
  /** Size of the file; of a website or video, of its text. */
  bytes: Count,
  /** Hex SHA-256 of the file or of the address: the same one twice in a channel is one source. */
  sha256: z.string(),
  status: SourceStatus,
  progress: z.optional(SourceProgress),
  /** A failed one: a code of the error catalogue that begins with `source.`. */
  reason: z.optional(z.string()),
  /** Answers are drawn from it. */
  isActive: z.boolean(),
  /** Pages, slides or sheets, where the kind has them. */
  pages: z.optional(Count),
  /** Characters of its text. */
  characters: z.optional(Count),
  passages: z.optional(Count),
  /** What the reader had to leave out, such as `first-pages`. See `ReadDocument`. */
  notices: z.array(z.string()),
  /** ISO 8601 UTC. */
  addedAt: z.string(),
  /** Of a website or video: when it was fetched, ISO 8601 UTC. */
  fetchedAt: z.optional(z.string()),
})
export type Source = z.infer<typeof Source>

/** A source of a cloud channel on the wire (ST-130). */
export const SourceJob = z.object({
  _id: Id,
  id: Id,
  channel_id: Id,
  user_id: Id,
  type: SourceType,
  filename: z.string(),
  processed: z.boolean(),
  status: SourceStatus,
  active: z.boolean(),
  /** The beginning of its text, once it is read (ST-131). `PUT` leaves it out. */
  document: z.optional(z.nullable(z.object({ postgresId: z.string(), content: z.string() }))),
  ...{ url: Source.shape.url, mediaType: Source.shape.mediaType, bytes: Source.shape.bytes },
  ...{ sha256: Source.shape.sha256, progress: Source.shape.progress, reason: Source.shape.reason },
  ...{ pages: Source.shape.pages, characters: Source.shape.characters, passages: Source.shape.passages },
  notices: Source.shape.notices,
  created_at: z.string(),
  updated_at: z.string(),
  fetched_at: Source.shape.fetchedAt,
})
export type SourceJob = z.infer<typeof SourceJob>

/** What `PUT` takes of each job: the document is removed, the switch may have changed. */
const JobSwitch = z.object({ id: z.optional(Id), _id: z.optional(Id), active: z.boolean() })

export function sourceOfJob(job: SourceJob): Source {
  const { id, channel_id, type, filename, status, active, created_at, fetched_at, notices, mediaType, bytes } = job
  const { url, sha256, progress, reason, pages, characters, passages } = job
  return {
    ...{ id, channelId: channel_id, type, name: filename, mediaType, bytes, sha256, status, isActive: active, notices },
    ...(url === undefined ? {} : { url }),
    ...(progress === undefined ? {} : { progress }),
    ...(reason === undefined ? {} : { reason }),
    ...(pages === undefined ? {} : { pages }),
    ...(characters === undefined ? {} : { characters }),
    ...(passages === undefined ? {} : { passages }),
    ...(fetched_at === undefined ? {} : { fetchedAt: fetched_at }),
    addedAt: created_at,
  }
}

const Url = z.string().check(z.minLength(1), z.maxLength(limits.sources.maxUrlLength))
const Urls = z.array(Url).check(z.minLength(1), z.maxLength(limits.sources.maxUrlsPerCall))
const ofChannel = z.object({ channelId: Id })
const params = z.object({ id: Id })

/** An upload that can be resumed: how many bytes of it are there. */
export const Upload = z.object({
  id: Id,
  offset: Count,
  /** Once all is there, or where the channel has the same file already. */
  job: z.optional(SourceJob),
})
export type Upload = z.infer<typeof Upload>

/** What the server fetches for a device, and does not keep. */
export const FetchedPage = z.object({
  url: z.string(),
  title: z.string(),
  type: z.enum(['website', 'video']),
  mediaType: z.string(),
  fetchedAt: z.string(),
  document: ReadDocument,
})
export type FetchedPage = z.infer<typeof FetchedPage>

export const sourceRoutes = {
  text: route({
    method: 'POST',
    path: '/api/embeddings/text-embedding',
    body: z.object({
      text: z.string().check(z.minLength(1), z.maxLength(limits.sources.maxTextLength)),
      channelId: Id,
    }),
    response: z.object({ documents: z.array(z.object({ id: Id })) }),
    summary: 'Adds a text to a cloud channel as a source',
  }),
  /** `:id` is the channel; a multipart form with the one field `document`. */
  upload: route({
    method: 'POST',
    path: '/api/embeddings/upload/:id',
    params,
    response: SourceJob,
    status: 201,
    summary: 'Adds a file to a cloud channel as a source',
  }),
  beginUpload: route({
    method: 'POST',
    path: '/api/embeddings/uploads',
    body: z.object({
      channelId: Id,
      name: z.string().check(z.minLength(1), z.maxLength(limits.sources.maxNameLength)),
      bytes: z.int().check(z.nonnegative()),
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      source: z.optional(BroughtSource),
    }),
    response: Upload,
    status: 201,
    summary: 'Begins the upload of a file, or finds the one that was begun before',
  }),
  /** The body is `application/octet-stream`: the bytes from `offset` on. */
  continueUpload: route({
    method: 'PATCH',
    path: '/api/embeddings/uploads/:id',
    params,
    query: z.object({ offset: z.coerce.number().check(z.int(), z.nonnegative()) }),
    response: Upload,
    summary: 'Adds bytes to an upload; answers how many are there',
  }),
  readUpload: route({
    method: 'GET',
    path: '/api/embeddings/uploads/:id',
    params,
    response: Upload,
    summary: 'How much of an upload is there',
  }),
  cancelUpload: route({
    method: 'DELETE',
    path: '/api/embeddings/uploads/:id',
    params,
    response: z.void(),
    status: 204,
    summary: 'Gives an upload up, with the bytes of it that are there',
  }),
  video: route({
    method: 'POST',
    path: '/api/embeddings/youtube-video',
    body: z.object({ url: Url, channelId: Id }),
    response: SourceJob,
    status: 201,
    summary: 'Adds a video to a cloud channel as a source',
  }),
  website: route({
    method: 'POST',
    path: '/api/embeddings/website',
    body: z.object({ url: Url, channelId: Id }),
    response: SourceJob,
    status: 201,
    summary: 'Adds a website to a cloud channel as a source',
  }),
  urls: route({
    method: 'POST',
    path: '/api/embeddings',
    body: z.object({ urls: Urls, channelId: z.optional(Id) }),
    response: z.object({ channel: Channel, jobs: z.array(SourceJob) }),
    status: 201,
    summary: 'Adds websites and videos to a cloud channel, or to a new one',
  }),
  videoChannel: route({
    method: 'POST',
    path: '/api/embeddings/video-channel',
    body: z.object({ urls: Urls }),
    response: z.object({ channel: Channel }),
    status: 201,
    summary: 'A new cloud channel with videos as its sources',
  }),
  ofChannel: route({
    method: 'GET',
    path: '/api/embeddings/job/channel/:channelId',
    params: ofChannel,
    response: z.array(SourceJob),
    summary: 'The sources of a cloud channel, oldest first',
  }),
  ofUser: route({
    method: 'GET',
    path: '/api/embeddings/job/status/user/:id',
    params,
    response: z.array(SourceJob),
    summary: 'The sources of all cloud channels of whoever asks',
  }),
  read: route({
    method: 'GET',
    path: '/api/embeddings/job/status/:id',
    params,
    response: SourceJob,
    summary: 'A source and how far it is read',
  }),
  switch: route({
    method: 'PUT',
    path: '/api/embeddings/job',
    body: z.array(JobSwitch).check(z.minLength(1), z.maxLength(limits.sources.maxPerChannel)),
    response: z.array(SourceJob),
    summary: 'Switches sources on and off, all or none of them',
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/embeddings/job/:id',
    params,
    response: z.void(),
    status: 204,
    summary: 'Removes a source with its file, text and passages; one that is being read is cancelled',
  }),
  cancel: route({
    method: 'POST',
    path: '/api/embeddings/job/:id/cancel',
    params,
    response: SourceJob,
    summary: 'Ends the reading of a source; it can be retried',
  }),
  retry: route({
    method: 'POST',
    path: '/api/embeddings/job/:id/retry',
    params,
    response: SourceJob,
    summary: 'Reads a source again that could not be read',
  }),
  document: route({
    method: 'GET',
    path: '/api/embeddings/job/:id/document',
    params,
    response: ReadDocument,
    summary: 'The text of a source with its structure',
  }),
  /** The bytes as they were uploaded, as an attachment that no browser runs. */
  file: route({
    method: 'GET',
    path: '/api/embeddings/job/:id/file',
    params,
    response: z.void(),
    summary: 'The file of a source',
  }),
  quota: route({
    method: 'GET',
    path: '/api/embeddings/quota',
    response: z.object({ usedBytes: Count, maxBytes: Count }),
    summary: 'How much of the account is in use by files',
  }),
  urlsOfChannel: route({
    method: 'GET',
    path: '/api/channel/:id/urls',
    params,
    response: z.array(z.string()),
    summary: 'The addresses of the websites and videos of a cloud channel that are read',
  }),
  /** For channels of the device. */
  fetch: route({
    method: 'POST',
    path: '/api/sources/fetch',
    body: z.object({ url: Url }),
    response: FetchedPage,
    summary: 'Reads a website or video for a device and keeps nothing of it',
  }),
}
