/** The bus topic on which the id of a person is published when sessions of theirs end, so that their sockets close. */
export const sessionsEndedTopic = 'auth:sessions-ended'

export type Sessions = {
  /** Those of these sessions that are neither expired nor revoked and whose account is not blocked. */
  liveOf(sessionIds: string[]): Promise<Set<string>>
  /** Ends all sessions of a person. */
  endAll(userId: string): Promise<void>
  /** Publishes that sessions of a person have ended; a receiver reads from the database which ones. */
  announceEnd(userId: string): Promise<void>
}
