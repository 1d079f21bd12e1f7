// SPDX-License-Identifier: EPL-2.0
#include "requests.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

#define PATIENCE_TICKS 40 /* Until a request has timed out: 10 s. */

struct request {
    char *node;
    uint32_t ticks;           /* Since it was sent. */
    struct bus_frame *answer; /* Null: none, or none yet. */
    bus_answered *answered;
    void *aux;
};

/* Tells the asker how the request ended, and frees it. */
static void
end(void *pointer)
{
    struct request *request = pointer;
    const struct bus_frame *answer = request->answer;

    if (!answer) {
        request->answered(BUS_TIMED_OUT, "", 0, request->aux);
    } else {
        request->answered(answer->kind == BUS_REPLY ? BUS_REPLIED
                                                    : BUS_DENIED,
                          answer->body, answer->body_size, request->aux);
    }
    bus_frame_release(request->answer);
    g_free(request->node);
    g_free(request);
}

void
bus_requests_init(struct bus_requests *requests, const char *self,
                  uint64_t epoch, struct bus_link *link)
{
    *requests = (struct bus_requests) {
        .self = self,
        .epoch = epoch,
        .link = link,
        .pending = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                         NULL),
    };
}

void
bus_requests_destroy(struct bus_requests *requests)
{
    GList *pending = g_hash_table_get_values(requests->pending);

    g_hash_table_destroy(requests->pending);
    g_queue_clear_full(&requests->ended, end);
    g_list_free_full(pending, end);
    g_queue_clear_full(&requests->questions, bus_frame_release);
}

int
bus_requests_ask(struct bus_requests *requests, const char *node,
                 const char *body, size_t size, bus_answered *answered,
                 void *aux)
{
    uint64_t number = requests->n_asked + 1;
    struct request *request;

    if (!bus_is_node(node)) {
        return EINVAL;
    }
    if (size > BUS_BODY_SIZE) {
        return EMSGSIZE;
    }
    if (!bus_link_offer(requests->link, (struct bus_frame) {
                            .kind = BUS_REQUEST,
                            .epoch = requests->epoch,
                            .sequence = number,
                            .node = requests->self,
                            .topic = node,
                            .body = body,
                            .body_size = size,
                        })) {
        return EAGAIN;
    }
    requests->n_asked = number;
    request = g_new0(struct request, 1);
    request->node = g_strdup(node);
    request->answered = answered;
    request->aux = aux;
    g_hash_table_insert(requests->pending, g_memdup2(&number, sizeof number),
                        request);
    return 0;
}

static bool
is_site_of(const char *site, const char *node)
{
    size_t length = bus_node_site(node);

    return strlen(site) == length && !strncmp(site, node, length);
}

/* Whether 'answer' may end a request to 'asked'. */
static bool
may_answer(const struct bus_requests *requests,
           const struct bus_frame *answer, const char *asked)
{
    return !strcmp(answer->node, asked)
           || (answer->kind == BUS_REFUSED
               && (is_site_of(answer->node, requests->self)
                   || is_site_of(answer->node, asked)));
}

static void
take_answer(struct bus_requests *requests, struct bus_frame *answer)
{
    struct request *request =
        answer->epoch == requests->epoch
        ? g_hash_table_lookup(requests->pending, &answer->sequence) : NULL;

    if (request && may_answer(requests, answer, request->node)) {
        g_hash_table_remove(requests->pending, &answer->sequence);
        request->answer = bus_frame_hold(answer);
        g_queue_push_tail(&requests->ended, request);
    }
}

void
bus_requests_take(struct bus_requests *requests, struct bus_frame *frame)
{
    if (frame->kind == BUS_REQUEST) {
        g_queue_push_tail(&requests->questions, bus_frame_hold(frame));
    } else {
        take_answer(requests, frame);
    }
}

/* Answers 'question' with 'text', or if it is null refuses it for
 * 'reason'. */
static void
answer(struct bus_requests *requests, const struct bus_frame *question,
       const char *text, const char *reason)
{
    if (text && strlen(text) > BUS_BODY_SIZE) {
        text = NULL;
        reason = "the reply is above 1 MiB";
    }
    bus_link_offer(requests->link, (struct bus_frame) {
        .kind = text ? BUS_REPLY : BUS_REFUSED,
        .epoch = question->epoch,
        .sequence = question->sequence,
        .node = requests->self,
        .topic = question->node,
        .body = text ? text : reason,
        .body_size = strlen(text ? text : reason),
    });
}

static void
serve(struct bus_requests *requests, const struct bus_frame *question)
{
    char reason[BUS_REASON_SIZE] = "this node answers no requests";
    char *text = NULL;

    if (requests->handler) {
        g_strlcpy(reason, "no reply", sizeof reason);
        text = requests->handler(question->node, question->body,
                                 question->body_size, reason,
                                 requests->handler_aux);
    }
    answer(requests, question, text, reason);
    free(text);
}

bool
bus_requests_deliver(struct bus_requests *requests)
{
    struct request *ended = g_queue_pop_head(&requests->ended);
    struct bus_frame *question;

    if (ended) {
        end(ended);
        return true;
    }
    question = g_queue_pop_head(&requests->questions);
    if (!question) {
        return false;
    }
    serve(requests, question);
    bus_frame_release(question);
    return true;
}

void
bus_requests_tick(struct bus_requests *requests)
{
    GHashTableIter each;
    void *pointer;

    g_hash_table_iter_init(&each, requests->pending);
    while (g_hash_table_iter_next(&each, NULL, &pointer)) {
        struct request *request = pointer;

        if (++request->ticks >= PATIENCE_TICKS) {
            g_hash_table_iter_remove(&each);
            g_queue_push_tail(&requests->ended, request);
        }
    }
}
