import { textOf } from '@parley/contract/parts'
import { describe, expect, it } from 'vitest'
import { fromChatGpt } from './chatgpt'
import { copyOfFile } from './file-trees'

const now = new Date('2026-11-21T12:00:00Z')
const node = (parent: string | null, role: string, content: unknown, more: Record<string, unknown> = {}) => ({
  parent,
  message: { author: { role }, create_time: 1_700_000_000, content, metadata: {}, ...more },
})
const text = (...parts: unknown[]) => ({ content_type: 'text', parts })
const conversation = (mapping: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  id: 'conv-1',
  title: 'Baking',
  create_time: 1_700_000_000.5,
  update_time: 1_700_000_100,
  mapping,
  current_node: Object.keys(mapping).at(-1),
  ...more,
})
const said = (value: unknown) =>
  fromChatGpt(value, now)?.messages.map(({ message: { chat_request, chat_response } }) => [
    chat_request,
    chat_response.content,
  ])

describe('a conversation of ChatGPT', () => {
  it('becomes a channel with its title, times and exchanges', () => {
    const tree = {
      root: { parent: null, message: null },
      system: node('root', 'system', text('You are helpful')),
      q1: node('system', 'user', text('How long does bread rise?')),
      a1: node('q1', 'assistant', text('Two hours.'), { metadata: { model_slug: 'gpt-4o' } }),
      q2: node('a1', 'user', text('And in winter?'), { create_time: null }),
      a2: node('q2', 'assistant', text('Three.')),
    }
    const found = fromChatGpt(conversation(tree), now)
    expect({ ...found, messages: found?.messages.map(({ message }) => message) }).toMatchObject({
      channel: {
        id: 'conv-1',
        channelName: 'Baking',
        created_at: '2023-11-14T22:13:20.500Z',
        updated_at: '2023-11-14T22:15:00.000Z',
        isLocalChannel: true,
      },
      messages: [
        {
          mId: 'q1',
          channelId: 'conv-1',
          chat_request: 'How long does bread rise?',
          chat_response: { content: 'Two hours.' },
          model: 'gpt-4o',
          status: 'completed',
        },
        {
          mId: 'q2',
          chat_request: 'And in winter?',
          chat_response: { content: 'Three.' },
          datetime: '2023-11-14T22:13:20.000Z',
        },
      ],
    })
  })

  it('follows the branch that was on screen, not the others', () => {
    const tree = {
      q1: node(null, 'user', text('Question')),
      a1: node('q1', 'assistant', text('First try')),
      a2: node('q1', 'assistant', text('Second try')),
      q3: node('a1', 'user', text('Elsewhere')),
    }
    expect(said(conversation(tree, { current_node: 'a2' }))).toEqual([['Question', 'Second try']])
    expect(said(conversation(tree, { current_node: undefined }))).toEqual([
      ['Question', 'First try'],
      ['Elsewhere', ''],
    ])
  })

  it('keeps every branch: each way on from a question is an answer, each question after one follows it', () => {
    const tree = {
      q1: node(null, 'user', text('Question')),
      a1: node('q1', 'assistant', text('First try'), { metadata: { model_slug: 'gpt-4o' } }),
      tool: node('q1', 'tool', text('Looking it up')),
      a2: node('tool', 'assistant', text('Second try')),
      q2: node('a1', 'user', text('And then?')),
      q2b: node('a1', 'user', text('And then, edited?')),
      a3: node('q2b', 'assistant', text('Then this')),
      a4: node('q2', 'assistant', text('Then that')),
      more: node('a4', 'assistant', text('And more')),
      q0: node(null, 'user', text('Question, edited')),
      a0: node('q0', 'assistant', text('Another')),
    }
    const found = fromChatGpt(conversation(tree, { current_node: 'more' }), now)
    const { exchanges, head } = copyOfFile(found?.messages ?? [], 'conv-1')
    const answers = (each: (typeof exchanges)[number]) => each.runs.map(({ id, answer }) => [id, textOf(answer)])
    expect(exchanges.map((each) => [each.exchange.id, each.exchange.afterRunId, answers(each)])).toEqual([
      [
        'q1',
        null,
        [
          ['a2', 'Looking it up\n\nSecond try'],
          ['q1', 'First try'],
        ],
      ],
      ['q2', 'q1', [['q2', 'Then that\n\nAnd more']]],
      ['q2b', 'q1', [['q2b', 'Then this']]],
      ['q0', null, [['q0', 'Another']]],
    ])
    expect(exchanges[0]?.runs[1]).toMatchObject({ model: 'gpt-4o' })
    expect(head).toBe('q2')
    expect(said(conversation(tree, { current_node: 'a2' }))).toEqual([['Question', 'Looking it up\n\nSecond try']])
    expect(said(conversation(tree, { current_node: 'q2b' }))).toEqual([
      ['Question', 'First try'],
      ['And then, edited?', 'Then this'],
    ])
    // Somebody asked on in the middle of an answer.
    const middle = { ...tree, q5: node('a4', 'user', text('Wait')), a5: node('q5', 'assistant', text('Yes?')) }
    const asked = fromChatGpt(conversation(middle, { current_node: 'a5' }), now)
    expect(said(conversation(middle, { current_node: 'a5' }))).toEqual([
      ...[
        ['Question', 'First try'],
        ['And then?', 'Then that'],
        ['Wait', 'Yes?'],
      ],
    ])
    const second = copyOfFile(asked?.messages ?? [], 'conv-1').exchanges.find(({ exchange }) => exchange.id === 'q2')
    expect(second?.runs.map(({ answer }) => textOf(answer)).toSorted()).toEqual(['Then that', 'Then that\n\nAnd more'])
  })

  it('shows what is not text as a note, keeps code as code, and leaves out what was hidden', () => {
    const tree = {
      q1: node(null, 'user', {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'image_asset_pointer' }, 'What is this?'],
      }),
      tool: node('q1', 'tool', { content_type: 'execution_output', text: 'secret output' }),
      code: node('tool', 'assistant', { content_type: 'code', language: 'python', text: 'print(1)' }),
      hidden: node('code', 'user', text('context'), { metadata: { is_visually_hidden_from_conversation: true } }),
      a1: node('hidden', 'assistant', text('A cat.', '')),
      voice: node('a1', 'user', {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'audio_transcription', text: 'And this?' }],
      }),
    }
    expect(said(conversation(tree))).toEqual([
      ['[image_asset_pointer]\n\nWhat is this?', '[execution_output]\n\n```python\nprint(1)\n```\n\nA cat.'],
      ['And this?', ''],
    ])
  })

  it('survives a tree that goes in circles, has holes or foreign parts', () => {
    const circle = { a: node('b', 'user', text('x')), b: node('a', 'assistant', text('y')) }
    expect(said(conversation(circle, { current_node: 'a' }))).toEqual([
      ['', 'y'],
      ['x', ''],
    ])
    expect(said(conversation({ a: node('gone', 'user', text('x')), b: 'nonsense' }, { current_node: 'a' }))).toEqual([
      ['x', ''],
    ])
    expect(said(conversation({}, { current_node: 'constructor' }))).toEqual([])
    expect(fromChatGpt(conversation({}, { title: null }), now)?.channel.channelName).toBe('Chat')
  })

  it('is none without a tree or an id', () => {
    expect(fromChatGpt({ id: 'x' }, now)).toBeUndefined()
    expect(fromChatGpt({ mapping: {} }, now)).toBeUndefined()
    expect(fromChatGpt({ id: '__proto__', mapping: {} }, now)).toBeUndefined()
    expect(fromChatGpt('text', now)).toBeUndefined()
  })
})
