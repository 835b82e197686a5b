-- A channel has branches once "head_run_id" of its row is set. Its exchanges then follow runs, not positions; nodes of the
-- version before, which know positions only, add to the branch that whoever asks reads.
CREATE OR REPLACE FUNCTION "messages_mirror"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  shown_id constant text := coalesce(new.run_message_id::text, new.m_id);
  earlier_id text;
  follower record;
begin
  if tg_op = 'UPDATE' then
    earlier_id := coalesce(old.run_message_id::text, old.m_id);
    -- Of a message that the backfill has not reached, what is overwritten is kept first.
    if not exists (select from runs where channel_id = old.channel_id and m_id = old.m_id and id = earlier_id) then perform mirror_message(old); end if;
    if earlier_id <> shown_id then
      -- Its writer cannot store its end any more.
      update runs set status = 'interrupted' where channel_id = old.channel_id and m_id = old.m_id and id = earlier_id and status = 'streaming';
      -- A channel without branches goes through what each exchange shows. Locked before it is compared: the backfill may
      -- be writing it.
      if exists (select from channels where id = new.channel_id and head_run_id is null) then
        select channel_id, m_id, after_run_id into follower from messages
        where channel_id = new.channel_id and position > new.position order by position limit 1 for no key update;
        if follower.after_run_id = earlier_id then
          update messages set after_run_id = shown_id where channel_id = follower.channel_id and m_id = follower.m_id;
        end if;
      end if;
    end if;
  end if;
  perform mirror_message(new);
  return null;
end
$$;--> statement-breakpoint
-- An exchange that names no run follows what the one before it shows; in a channel with branches the head of whoever wrote
-- it, or the owner's. Heads that stood there go on to it.
CREATE OR REPLACE FUNCTION "messages_place"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  own_id constant text := coalesce(new.run_message_id::text, new.m_id);
  head text;
begin
  if new.after_run_id = '' then
    select coalesce((select m.head_run_id from channel_members m where m.channel_id = c.id and m.user_id = new.author_user_id), c.head_run_id)
    into head from channels c where c.id = new.channel_id and c.head_run_id is not null;
    if head is null then
      new.after_run_id := (
        select coalesce(run_message_id::text, m_id) from messages where channel_id = new.channel_id and position < new.position order by position desc limit 1
      );
    else
      new.after_run_id := head;
      update channels set head_run_id = own_id where id = new.channel_id and head_run_id = head;
      update channel_members set head_run_id = own_id where channel_id = new.channel_id and head_run_id = head;
    end if;
  end if;
  return new;
end
$$;--> statement-breakpoint
-- What followed a deleted exchange follows what is shown before it, in a channel with branches what the deleted one followed.
-- Each search ends at the next deleted exchange, so that deleting many reads none of them twice.
CREATE OR REPLACE FUNCTION "messages_relink"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  update messages m set after_run_id = (
    select coalesce(p.run_message_id::text, p.m_id) from messages p where p.channel_id = m.channel_id and p.position < m.position order by p.position desc limit 1
  )
  from (select channel_id, position, lead(position) over (partition by channel_id order by position) as next_position from removed) r
  cross join lateral (
    select f.channel_id, f.m_id from messages f
    where f.channel_id = r.channel_id and f.position > r.position and (r.next_position is null or f.position < r.next_position) order by f.position limit 1
  ) follower
  where m.channel_id = follower.channel_id and m.m_id = follower.m_id and m.after_run_id <> ''
    and not exists (select from runs where channel_id = m.channel_id and id = m.after_run_id)
    and exists (select from channels where id = m.channel_id and head_run_id is null);
  update messages m set after_run_id = r.after_run_id
  from removed r join channels c on c.id = r.channel_id and c.head_run_id is not null
  where m.channel_id = r.channel_id and m.after_run_id = coalesce(r.run_message_id::text, r.m_id);
  return null;
end
$$;
