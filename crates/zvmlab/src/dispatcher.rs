//! The dispatcher: who runs on the processors of the partition, and how their time is accounted.
//!
//! Simplified: CP's own work first, for which a guest is interrupted if no processor is idle; then guests in the order in
//! which they became ready, a slice at a time. Shares, scheduler lists and logical processors come with their own subject
//! and replace what is behind this door.

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

/// A processor that was given something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dispatched {
    pub processor: u32,
    pub task: Task,
    /// Whether a guest's burst stands still meanwhile and goes on afterwards.
    pub interrupts: bool,
}

/// The processors, what they run and who waits for one.
#[derive(Clone, Debug)]
pub(crate) struct Dispatcher {
    running: Vec<Option<Task>>,
    /// CP's work that interrupts what the processor runs.
    interrupting: Vec<Option<Task>>,
    cp_work: VecDeque<Task>,
    guests: VecDeque<Task>,
    spent: Cost,
}

impl Dispatcher {
    /// A partition with `count` idle processors.
    pub fn new(count: u32) -> Self {
        Dispatcher {
            running: vec![None; count as usize],
            interrupting: vec![None; count as usize],
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

    /// Gives a processor to whoever is next: an idle one, or, for CP's work, one that runs a guest. `None` where no
    /// processor is to be had or nobody waits.
    pub fn dispatch(&mut self) -> Option<Dispatched> {
        if self.cp_work.is_empty() && self.guests.is_empty() {
            return None;
        }
        if let Some(idle) = self.running.iter().position(Option::is_none) {
            let task = self.cp_work.pop_front().or_else(|| self.guests.pop_front())?;
            self.running[idle] = Some(task);
            return Some(Dispatched { processor: idle as u32, task, interrupts: false });
        }
        let may_interrupt = |(running, interrupting): (&Option<Task>, &Option<Task>)| {
            matches!(running, Some(Task::Guest(_))) && interrupting.is_none()
        };
        let processor = self.running.iter().zip(&self.interrupting).position(may_interrupt)?;
        let task = self.cp_work.pop_front()?;
        self.interrupting[processor] = Some(task);
        Some(Dispatched { processor: processor as u32, task, interrupts: true })
    }

    /// `processor` has spent `cost` on what it did last, an interrupting task before the interrupted one; tells which
    /// task it was.
    pub fn release(&mut self, processor: u32, cost: Cost) -> Task {
        self.spent.guest += cost.guest;
        self.spent.chargeable += cost.chargeable;
        self.spent.nonchargeable += cost.nonchargeable;
        let index = processor as usize;
        self.interrupting[index].take().or_else(|| self.running[index].take()).expect("only a busy processor is released")
    }

    pub fn snapshot(&self) -> ProcessorsSnapshot {
        ProcessorsSnapshot {
            count: self.running.len() as u32,
            busy: self.running.iter().flatten().count() as u32,
            guest_ns: self.spent.guest.0,
            chargeable_cp_ns: self.spent.chargeable.0,
            nonchargeable_cp_ns: self.spent.nonchargeable.0,
            ..ProcessorsSnapshot::default()
        }
    }

    /// Checks that no processor idles while somebody waits.
    pub fn verify(&self) {
        let waiting = !self.cp_work.is_empty() || !self.guests.is_empty();
        assert!(!waiting || self.running.iter().all(Option::is_some), "a processor idles while work waits");
        let may_interrupt = (0..self.running.len())
            .any(|index| matches!(self.running[index], Some(Task::Guest(_))) && self.interrupting[index].is_none());
        assert!(self.cp_work.is_empty() || !may_interrupt, "CP's work waits though it may interrupt a guest");
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
        while let Some(given) = dispatcher.dispatch() {
            assert_eq!(dispatcher.dispatch(), None, "one processor runs one task");
            order.push(given.task);
            dispatcher.release(given.processor, Cost { guest: Span(5), ..Cost::default() });
        }
        dispatcher.verify();
        assert_eq!(order, [Task::EndIo(7), Task::Guest(0), Task::Guest(1)]);
        assert_eq!(dispatcher.snapshot().guest_ns, 15);
    }

    #[test]
    fn cp_work_interrupts_a_guest_and_the_guest_goes_on() {
        let mut dispatcher = Dispatcher::new(1);
        dispatcher.ready(Task::Guest(0));
        dispatcher.dispatch();
        dispatcher.ready(Task::TakeInterrupt(1));
        dispatcher.ready(Task::EndIo(2));
        let given = dispatcher.dispatch().expect("CP's work interrupts the guest");
        assert!(given.interrupts);
        assert_eq!(dispatcher.dispatch(), None, "one interruption at a time");
        assert_eq!(dispatcher.release(0, Cost::default()), Task::TakeInterrupt(1));
        assert_eq!(dispatcher.dispatch().map(|given| given.task), Some(Task::EndIo(2)));
        assert_eq!(dispatcher.release(0, Cost::default()), Task::EndIo(2));
        assert_eq!(dispatcher.release(0, Cost::default()), Task::Guest(0));
    }
}
