//! The dispatcher: who runs on the processors of the partition, and how their time is accounted.
//!
//! Simplified: CP's own work first, then guests in the order in which they became ready, a slice at a time. Shares,
//! scheduler lists and logical processors come with their own subject and replace what is behind this door.

use std::collections::VecDeque;

use crate::kernel::time::Span;
use crate::snapshot::ProcessorsSnapshot;

/// What a processor can be given to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Run this guest.
    Guest(u32),
    /// Take the interruption of this I/O, so that its exposure can carry the next one.
    TakeInterrupt(u32),
    /// Do CP's work for the pages of this I/O.
    EndIo(u32),
}

/// Processor time by who pays for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub guest: Span,
    pub chargeable: Span,
    pub nonchargeable: Span,
}

impl Cost {
    /// All of the time.
    pub fn total(self) -> Span {
        self.guest + self.chargeable + self.nonchargeable
    }
}

/// The processors, what they run and who waits for one.
#[derive(Clone, Debug)]
pub(crate) struct Dispatcher {
    running: Vec<Option<Task>>,
    cp_work: VecDeque<Task>,
    guests: VecDeque<Task>,
    spent: Cost,
}

impl Dispatcher {
    /// A partition with `count` idle processors.
    pub fn new(count: u32) -> Self {
        Dispatcher {
            running: vec![None; count as usize],
            cp_work: VecDeque::new(),
            guests: VecDeque::new(),
            spent: Cost::default(),
        }
    }

    /// `task` wants a processor.
    pub fn ready(&mut self, task: Task) {
        match task {
            Task::Guest(_) => self.guests.push_back(task),
            Task::TakeInterrupt(_) | Task::EndIo(_) => self.cp_work.push_back(task),
        }
    }

    /// Gives an idle processor to whoever is next; `None` where no processor is idle or nobody waits.
    pub fn dispatch(&mut self) -> Option<(u32, Task)> {
        if self.cp_work.is_empty() && self.guests.is_empty() {
            return None;
        }
        let idle = self.running.iter().position(Option::is_none)?;
        let task = self.cp_work.pop_front().or_else(|| self.guests.pop_front())?;
        self.running[idle] = Some(task);
        Some((idle as u32, task))
    }

    /// `processor` has spent `cost` on its task and is idle again; tells which task it was.
    pub fn release(&mut self, processor: u32, cost: Cost) -> Task {
        self.spent.guest += cost.guest;
        self.spent.chargeable += cost.chargeable;
        self.spent.nonchargeable += cost.nonchargeable;
        self.running[processor as usize].take().expect("only a busy processor is released")
    }

    pub fn snapshot(&self) -> ProcessorsSnapshot {
        ProcessorsSnapshot {
            count: self.running.len() as u32,
            busy: self.running.iter().flatten().count() as u32,
            guest_ns: self.spent.guest.0,
            chargeable_cp_ns: self.spent.chargeable.0,
            nonchargeable_cp_ns: self.spent.nonchargeable.0,
        }
    }

    /// Checks that no processor idles while somebody waits.
    pub fn verify(&self) {
        let waiting = !self.cp_work.is_empty() || !self.guests.is_empty();
        assert!(!waiting || self.running.iter().all(Option::is_some), "a processor idles while work waits");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cp_work_goes_first_and_guests_take_turns() {
        let mut dispatcher = Dispatcher::new(1);
        dispatcher.ready(Task::Guest(0));
        dispatcher.ready(Task::Guest(1));
        dispatcher.ready(Task::EndIo(7));
        let mut order = Vec::new();
        while let Some((processor, task)) = dispatcher.dispatch() {
            assert_eq!(dispatcher.dispatch(), None, "one processor runs one task");
            order.push(task);
            dispatcher.release(processor, Cost { guest: Span(5), ..Cost::default() });
        }
        dispatcher.verify();
        assert_eq!(order, [Task::EndIo(7), Task::Guest(0), Task::Guest(1)]);
        assert_eq!(dispatcher.snapshot().guest_ns, 15);
    }
}
