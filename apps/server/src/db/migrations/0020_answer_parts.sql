ALTER TABLE "messages" ADD COLUMN "answer_parts" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "base_parts" text;--> statement-breakpoint
-- The functions and the trigger of 0017 with these columns; run-mirror.test.ts compares them with the contract.
CREATE FUNCTION "json_of_masked"("masked" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  select replace(
    regexp_replace(replace(replace(masked, chr(57344) || 'q', '\"'), chr(57344) || 's', '\\'), chr(57344) || '([bfnrtu/])', '\\\1', 'g'),
    chr(57344) || 'e', chr(57344))
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "stored_of_masked"("masked" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  select stored_of_json(json_of_masked(masked))
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "runs_of_message"("m" "messages") RETURNS SETOF "runs" LANGUAGE plpgsql STABLE AS $$
declare
  mark constant text := chr(57344);
  shown runs;
  earlier runs;
  pieces record;
  run_id constant text := m.run_message_id::text;
  run_ms bigint;
  masked text;
  answer json;
begin
  shown.channel_id := m.channel_id;
  shown.m_id := m.m_id;
  shown.owner_id := m.owner_id;
  shown.started_at := m.asked_at;
  earlier := shown;
  shown.id := coalesce(run_id, m.m_id);
  shown.answer := m.answer;
  shown.answer_parts := m.answer_parts;
  shown.status := m.status;
  shown.is_empty := m.is_empty;
  shown.error_code := m.error_code;
  shown.error_content := case when m.error_code is not null then coalesce(m.error_content, '') end;
  shown.model := m.model;
  shown.assistant_id := m.assistant_id;
  if m.input_tokens is not null and m.output_tokens is not null then
    shown.input_tokens := m.input_tokens;
    shown.output_tokens := m.output_tokens;
    shown.cost := m.cost;
  end if;
  shown.finish_reason := m.finish_reason;
  shown.duration_ms := m.duration_ms;
  if run_id is null then
    return next shown;
    return;
  end if;

  shown.seq := coalesce(m.run_seq, 0);
  shown.prompt := m.run_question;
  if substr(run_id, 15, 1) = '7' and m.asked_at ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' then
    run_ms := ('x' || substr(run_id, 1, 8) || substr(run_id, 10, 4))::bit(48)::bigint;
    -- Up to the year 9999.
    if run_ms < 253402300800000 then
      shown.started_at := greatest(
        m.asked_at collate "C",
        to_char(date '1970-01-01' + (run_ms / 86400000)::integer + (run_ms % 86400000) * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C"
      );
    end if;
  end if;
  earlier.id := case when run_id = m.m_id then m.m_id || ':before' else m.m_id end;
  earlier.status := 'interrupted';
  earlier.is_empty := false;
  earlier.model := m.model;
  earlier.assistant_id := m.assistant_id;
  -- What cannot be read of the answer before keeps this one from being stored no more than its absence would.
  if m.previous is not null then
    begin
      -- A JSON whose escapes are masked, because PostgreSQL reads neither U+0000 nor half a surrogate pair.
      masked := regexp_replace(replace(m.previous, mark, mark || 'e'), '\\(.)', mark || '\1', 'g');
      answer := replace(replace(masked, mark || '"', mark || 'q'), mark || '\', mark || 's')::json;
      earlier.answer := stored_of_masked(answer #>> '{chat_response,content}');
      earlier.answer_parts := '[{"type":"reasoning","text":"' || json_of_masked(answer #>> '{reasoning,text}') || '","ms":' || (answer #>> '{reasoning,ms}') || '}]';
      earlier.status := case when answer ->> 'status' in ('completed', 'stopped', 'failed') then answer ->> 'status' else 'interrupted' end;
      earlier.is_empty := coalesce((answer ->> 'empty')::boolean, false);
      earlier.error_code := stored_of_masked(answer #>> '{error,code}');
      earlier.error_content := stored_of_masked(answer #>> '{error,content}');
      earlier.model := stored_of_masked(answer ->> 'model');
      earlier.assistant_id := stored_of_masked(answer ->> 'assistantId');
      earlier.input_tokens := (answer #>> '{usage,inputTokens}')::double precision;
      earlier.output_tokens := (answer #>> '{usage,outputTokens}')::double precision;
      earlier.cost := (answer #>> '{usage,cost}')::bigint;
      earlier.finish_reason := stored_of_masked(answer ->> 'finishReason');
      earlier.duration_ms := (answer ->> 'durationMs')::double precision;
    exception when data_exception then
      earlier.answer := null;
      earlier.answer_parts := null;
    end;
  end if;
  if m.run_base > 0 and m.run_base = trunc(m.run_base) and m.run_base < 1e9 then
    begin
      pieces := cut_stored(m.answer, m.run_base::integer);
      if pieces.head is not null then
        earlier.answer := pieces.head;
        shown.answer := pieces.tail;
        earlier.answer_parts := coalesce(m.base_parts, earlier.answer_parts);
        shown.continues := earlier.id;
      end if;
    exception when data_exception then null;
    end;
  end if;
  if earlier.answer is not null then
    if shown.started_at <= earlier.started_at collate "C" then shown.started_at := next_moment(earlier.started_at); end if;
    return next earlier;
  end if;
  return next shown;
end
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "put_run"("run" "runs") RETURNS void LANGUAGE sql AS $$
  insert into runs as stored select (run).*
  on conflict (channel_id, m_id, id) do update set
    (answer, answer_parts, status, is_empty, error_code, error_content, model, assistant_id, input_tokens, output_tokens, cost, finish_reason, duration_ms, continues, prompt, seq, started_at) =
    (excluded.answer, excluded.answer_parts, excluded.status, excluded.is_empty, excluded.error_code, excluded.error_content, excluded.model, excluded.assistant_id, excluded.input_tokens,
      excluded.output_tokens, excluded.cost, excluded.finish_reason, excluded.duration_ms, excluded.continues, excluded.prompt, excluded.seq, excluded.started_at)
  where (stored.answer, stored.answer_parts, stored.status, stored.is_empty, stored.error_code, stored.error_content, stored.model, stored.assistant_id, stored.input_tokens,
      stored.output_tokens, stored.cost, stored.finish_reason, stored.duration_ms, stored.continues, stored.prompt, stored.seq, stored.started_at)
    is distinct from (excluded.answer, excluded.answer_parts, excluded.status, excluded.is_empty, excluded.error_code, excluded.error_content, excluded.model, excluded.assistant_id, excluded.input_tokens,
      excluded.output_tokens, excluded.cost, excluded.finish_reason, excluded.duration_ms, excluded.continues, excluded.prompt, excluded.seq, excluded.started_at)
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "mirror_message"("m" "messages") RETURNS void LANGUAGE plpgsql AS $$
declare
  run runs;
  shown runs;
  earlier runs;
  known_id text;
  used record;
  stored_start text;
  latest_start text;
begin
  for run in select * from runs_of_message(m) loop
    earlier := shown;
    shown := run;
  end loop;
  if earlier.id is not null and shown.continues is null then
    if not exists (select from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id <> shown.id) then perform put_run(earlier); end if;
  elsif earlier.id is not null then
    select r.id into known_id from runs r
    where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id <> shown.id and text_with_continued(r, shown.id) = earlier.answer
    order by
      r.id = (select s.continues from runs s where s.channel_id = m.channel_id and s.m_id = m.m_id and s.id = shown.id) desc nulls last,
      -- Of two runs of one text the one that was thought likewise.
      r.answer_parts is not distinct from earlier.answer_parts desc,
      r.started_at collate "C" desc, r.id collate "C" desc
    limit 1;
    if known_id is null then
      if exists (select from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id = earlier.id) then
        earlier.id := shown.id || ':before';
      end if;
      perform put_run(earlier);
      known_id := earlier.id;
    end if;
    shown.continues := known_id;
    with recursive continued as (
      select r.id, r.continues, r.input_tokens, r.output_tokens, r.cost from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id = known_id
      union
      select r.id, r.continues, r.input_tokens, r.output_tokens, r.cost from runs r join continued c on r.id = c.continues
      where r.channel_id = m.channel_id and r.m_id = m.m_id
    )
    select sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, sum(cost)::bigint as cost into used from continued;
    if used.input_tokens is not null then
      shown.input_tokens := shown.input_tokens - used.input_tokens;
      shown.output_tokens := shown.output_tokens - used.output_tokens;
      if used.cost is not null then shown.cost := shown.cost - used.cost; end if;
    end if;
  end if;
  -- The order of runs is that of their times, whatever the clocks of the devices that made their ids.
  select r.started_at into stored_start from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id and r.id = shown.id;
  if stored_start is not null then
    shown.started_at := greatest(shown.started_at collate "C", stored_start);
  else
    select max(r.started_at collate "C") into latest_start from runs r where r.channel_id = m.channel_id and r.m_id = m.m_id;
    if shown.started_at <= latest_start collate "C" then shown.started_at := next_moment(latest_start); end if;
  end if;
  perform put_run(shown);
end
$$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER "messages_mirror" AFTER INSERT OR UPDATE OF
  "answer", "answer_parts", "base_parts", "status", "is_empty", "error_code", "error_content", "model", "assistant_id", "input_tokens", "output_tokens", "cost",
  "finish_reason", "duration_ms", "run_message_id", "run_seq", "run_base", "run_question", "previous", "asked_at"
ON "messages" FOR EACH ROW EXECUTE FUNCTION "messages_mirror"();--> statement-breakpoint
-- Nodes of the version before do not know the columns: an answer that they write anew has no parts of the one before it.
CREATE FUNCTION "messages_new_run"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  new.answer_parts := null;
  new.base_parts := null;
  return new;
end
$$;--> statement-breakpoint
CREATE TRIGGER "messages_new_run" BEFORE UPDATE OF "run_message_id" ON "messages" FOR EACH ROW
WHEN (new.run_message_id IS DISTINCT FROM old.run_message_id AND new.status = 'streaming' AND new.answer = '')
EXECUTE FUNCTION "messages_new_run"();
