import { subjectOf } from '../../plugins/people'
import type { ChatSocket } from './chat-socket'
import type { SocketConnection } from './socket-connection'

export type OpenSocket = { connection: SocketConnection; chat: ChatSocket; sessionId: string | undefined }

/** The open chat sockets of this node, by the subject of their visitor. */
export class OpenSockets {
  private readonly bySubject = new Map<string, Set<OpenSocket>>()

  countOf(subject: string): number {
    return this.bySubject.get(subject)?.size ?? 0
  }

  /** Removes the socket when its connection closes. */
  add(subject: string, socket: OpenSocket): void {
    const sockets = this.bySubject.get(subject) ?? new Set()
    this.bySubject.set(subject, sockets.add(socket))
    socket.connection.closed.addEventListener('abort', () => {
      sockets.delete(socket)
      if (sockets.size === 0) this.bySubject.delete(subject)
    })
  }

  ofPerson(userId: string): OpenSocket[] {
    return [...(this.bySubject.get(subjectOf({ userId })) ?? [])]
  }

  all(): OpenSocket[] {
    return [...this.bySubject.values()].flatMap((sockets) => [...sockets])
  }
}
